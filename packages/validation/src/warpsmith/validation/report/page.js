"use strict";
// The browser of pairs. Whatever comes from a dataset becomes text nodes: nothing here parses HTML.
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  /** An element: `el("p.note", {title: "…"}, "text", child)`. */
  function el(what, attributes = {}, ...children) {
    const [tag, ...classes] = what.split(".");
    const made = document.createElement(tag);
    made.classList.add(...classes);
    for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
    made.append(...children.filter((child) => child !== null));
    return made;
  }

  const STATUS = {pass: "✓", fail: "✗", inconclusive: "?", skipped: "–", not_applicable: "·"};
  const cards = JSON.parse($("#cards").textContent);
  const place = new Map(cards.map((card, number) => [card.id, number]));
  for (const card of cards) {
    const statuses = Object.values(card.verdicts);
    card.worst = ["fail", "inconclusive", "pass"].find((status) => statuses.includes(status)) ?? null;
    card.text = [card.id, card.kernel, card.category, card.description, card.features.join(" "), card.text].join(" ").toLowerCase();
  }

  // ---------------------------------------------------------------------------------------------------------- filters
  const fields = {search: $("#search"), category: $("#category"), feature: $("#feature"), verdict: $("#verdict")};

  function counted(values) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts];
  }

  function fill(select, none, entries) {
    select.append(el("option", {value: ""}, none), ...entries.map(([value, count]) => el("option", {value}, `${value} (${count})`)));
  }

  fill(fields.category, "category", counted(cards.map((card) => card.category)).sort());
  fill(fields.feature, "feature", counted(cards.flatMap((card) => [...new Set(card.features)])).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
  fill(fields.verdict, "verdict", [
    ...counted(cards.flatMap((card) => [...new Set(Object.values(card.verdicts))].map((status) => `any: ${status}`))),
    ...counted(cards.flatMap((card) => Object.entries(card.verdicts).map(([level, status]) => `${level}: ${status}`))),
  ]);

  function hasVerdict(card, wanted) {
    const [level, status] = wanted.split(": ");
    return level === "any" ? Object.values(card.verdicts).includes(status) : card.verdicts[level] === status;
  }

  function matching() {
    const words = fields.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const [category, feature, verdict] = [fields.category.value, fields.feature.value, fields.verdict.value];
    return [...cards.keys()].filter((number) => {
      const card = cards[number];
      return (!category || card.category === category) && (!feature || card.features.includes(feature)) &&
        (!verdict || hasVerdict(card, verdict)) && words.every((word) => card.text.includes(word));
    });
  }

  // ------------------------------------------------------------------------------------------------------------- list
  const ROW = 54; // pixels, as in the style
  const list = $("#list"), rows = $("#rows");
  let found = [], active = 0, opened = -1;

  function filter() {
    const kept = found[active];
    found = matching();
    active = Math.max(found.indexOf(kept), 0);
    const set = Object.values(fields).some((field) => field.value);
    $("#count").textContent = set ? `${found.length} of ${cards.length} match` : `${cards.length} pairs`;
    $("#clear").hidden = !set;
    for (const field of all(".filters select")) field.classList.toggle("set", Boolean(field.value));
    rows.style.height = `${found.length * ROW}px`;
    list.scrollTo({top: Math.max(active * ROW - ROW, 0)});
    draw();
  }

  /** Only the rows that are seen, and the active one, are in the document. */
  function draw() {
    const first = Math.max(Math.floor(list.scrollTop / ROW) - 4, 0);
    const last = Math.min(first + Math.ceil(list.clientHeight / ROW) + 9, found.length);
    const seen = [...Array(Math.max(last - first, 0)).keys()].map((step) => first + step);
    if (found.length && !seen.includes(active)) seen.push(active);
    rows.replaceChildren(...seen.map(row));
    if (found.length) list.setAttribute("aria-activedescendant", `row-${active}`);
    else list.removeAttribute("aria-activedescendant");
  }

  function row(position) {
    const card = cards[found[position]];
    const state = card.worst && el(`span.state.is-${card.worst}`, {}, `${STATUS[card.worst]} ${card.worst}`);
    const made = el("div.row", {role: "option", id: `row-${position}`, "aria-selected": found[position] === opened,
      "aria-posinset": position + 1, "aria-setsize": found.length},
      el("div", {}, el("span.id", {}, card.id), state),
      el("p", {title: card.description}, `${card.category} · ${card.description}`));
    made.classList.toggle("active", position === active);
    made.style.top = `${position * ROW}px`;
    made.addEventListener("click", () => { active = position; go(card.id); });
    return made;
  }

  function move(steps) {
    active = Math.min(Math.max(active + steps, 0), Math.max(found.length - 1, 0));
    const top = active * ROW;
    if (top < list.scrollTop) list.scrollTo({top});
    if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTo({top: top + ROW - list.clientHeight});
    draw();
  }

  // ------------------------------------------------------------------------------------------------------- one pair
  const article = $("#pair");
  let view = null; // {sheet, direction, panes: [{name, code, lines, heads}], pinned, tab}
  let direction = 0;

  async function unpack(number) {
    const packed = Uint8Array.from(atob($(`#sheet-${number}`).textContent), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  async function show(number) {
    opened = number;
    const position = found.indexOf(number);
    if (position >= 0) { active = position; move(0); } else draw();
    let sheet;
    try {
      sheet = await unpack(number);
    } catch (error) {
      article.replaceChildren(el("p.empty", {}, `This browser cannot unpack the pair (${error.message}). `,
        el("code", {}, `warpsmith-validate DIR --show ${cards[number].id}`), " prints it."));
      return;
    }
    if (opened !== number) return; // another was opened meanwhile
    const tab = view?.tab ?? 0;
    view = {number, sheet, panes: [], pinned: 0, tab: Math.min(tab, sheet.code.length)};
    article.replaceChildren(head(cards[number], sheet), tabs(sheet), el("div.panes"));
    texts();
  }

  function head(card, sheet) {
    const backward = sheet.code.some((code) => code.parts[1]);
    const turn = (label, to, enabled) => {
      const button = el("button", {type: "button", "aria-pressed": direction === to, title: `${label} (${label[0].toLowerCase()})`}, label);
      button.disabled = !enabled;
      button.addEventListener("click", () => turnTo(to));
      return button;
    };
    const back = el("button.back", {type: "button", "aria-label": "Back to the list"}, "←");
    back.addEventListener("click", () => { location.hash = "#/pairs"; });
    const reasons = sheet.verdicts.filter(([, status, reason]) => reason && (status === "fail" || status === "inconclusive"));
    return el("div.head", {},
      el("div.line", {}, back, el("h2", {}, card.id), el("span.tag", {}, card.category), el("span.tag.name", {}, el("code", {}, card.kernel)),
        el("div.switch", {role: "group", "aria-label": "Direction"}, turn("Forward", 0, true), turn("Adjoint", 1, backward))),
      el("p.what", {}, card.description),
      sheet.verdicts.length ? el("ul.levels", {"aria-label": "Verdicts"}, ...sheet.verdicts.map(([level, status, reason]) =>
        el(`li.is-${status}`, {title: reason || null}, `${STATUS[status]} ${level}`, el("span.hidden", {}, ` ${status}`)))) : null,
      reasons.length ? el("ul.reasons", {}, ...reasons.map(([level, status, reason]) =>
        el(`li.is-${status}`, {}, `${level}: ${reason}`))) : null,
      card.features.length ? el("details", {}, el("summary", {}, `${card.features.length} features`), el("p", {}, card.features.join(", "))) : null);
  }

  function tabs(sheet) {
    const bar = el("div.tabs", {role: "tablist", "aria-label": "Texts"});
    ["Python", ...sheet.code.map((code) => code.name)].forEach((name, number) => {
      const tab = el("button", {type: "button", role: "tab", "aria-controls": `pane-${number}`}, name);
      tab.addEventListener("click", () => choose(number));
      bar.append(tab);
    });
    return bar;
  }

  /** Fill the panes for the chosen direction. */
  function texts() {
    const {sheet} = view;
    const parts = [{name: "Python", ...sheet.python}];
    for (const code of sheet.code) {
      const part = code.parts[direction];
      parts.push({name: code.name, lines: part?.lines ?? [], heads: part?.map ?? [], cut: part?.cut ?? 0,
        none: part ? null : "There is no adjoint."});
    }
    const reached = new Set(parts.slice(1).flatMap((part) => part.heads));
    view.panes = parts.map((part, number) => pane(part, number, reached));
    $(".panes", article).replaceChildren(...view.panes.map((one) => one.element));
    view.panes.slice(1).forEach(begin);
    choose(view.tab);
    mark(view.pinned, -1, false);
  }

  /** Pass over the declarations at the start of a generated text: what follows a line of Python is what people came for. */
  function begin({code, lines, heads}) {
    const reverse = lines.findLastIndex((line) => line.textContent.trim() === "// reverse");
    const first = lines[direction ? reverse : heads.findIndex(Boolean)];
    if (first) code.scrollTop = Math.max(first.offsetTop - 40, 0);
  }

  function pane(part, number, reached) {
    const lines = part.lines.map((pieces, position) => {
      const line = el("div.l", {role: "option", id: `line-${number}-${position}`, "data-n": position + 1, "aria-selected": "false"});
      for (let at = 0; at < pieces.length; at += 2) line.append(pieces[at] ? el(`span.${pieces[at]}`, {}, pieces[at + 1]) : pieces[at + 1]);
      if (!pieces.length) line.append("\u200b");
      if (part.heads[position] && reached.has(part.heads[position])) line.classList.add("has");
      return line;
    });
    const code = el("div.code", {role: "listbox", tabindex: "0", "aria-label": part.name},
      part.none ? el("p.empty", {}, part.none) : null, el("div.lines", {role: "presentation"}, ...lines),
      part.cut ? el("p.cut", {}, `${part.cut} more lines are left out; warpsmith-validate DIR --show ${cards[view.number].id} prints them.`) : null);
    const made = {code, lines, heads: part.heads, cursor: -1,
      element: el("section.pane", {id: `pane-${number}`, "aria-label": part.name},
        el("h3", {}, part.name, el("span", {}, `${part.lines.length} lines`)), code)};
    const under = (event) => lines.indexOf(event.target.closest?.(".l"));
    code.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse" && under(event) >= 0) mark(made.heads[under(event)] || view.pinned, number);
    });
    code.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") mark(view.pinned, number); });
    code.addEventListener("click", (event) => { if (under(event) >= 0) { cursor(number, under(event)); pin(number, under(event)); } });
    code.addEventListener("focus", () => { view.tab = number; });
    return made;
  }

  /** Keep the marks of a line, or give them up if they are kept. */
  function pin(number, position) {
    const line = view.panes[number].heads[position] ?? 0;
    view.pinned = view.pinned === line ? 0 : line;
    mark(view.pinned, number);
  }

  /** Mark all lines of one statement of Python, 0 for none, and bring them into view in the panes other than `origin`. */
  function mark(head, origin, scroll = true) {
    view.panes.forEach((one, number) => {
      one.lines.forEach((line, position) => {
        const on = head > 0 && one.heads[position] === head && (number > 0 || line.classList.contains("has"));
        line.classList.toggle("on", on);
        line.setAttribute("aria-selected", on);
      });
      const marks = one.lines.filter((line) => line.classList.contains("on")).length, tab = all(".tabs button", article)[number];
      if (marks) tab.dataset.marks = marks;
      else delete tab.dataset.marks;
      if (scroll && number !== origin) reveal(one);
    });
  }

  /** Bring marked lines into view: the first, or in an adjoint, which repeats the forward part, the last that stand together. */
  function reveal({code, lines}) {
    const on = (line) => line?.classList.contains("on");
    let first = direction ? lines.findLastIndex(on) : lines.findIndex(on);
    while (direction && on(lines[first - 1])) first -= 1;
    if (first < 0) return;
    const top = lines[first].offsetTop;
    if (top < code.scrollTop || top + 60 > code.scrollTop + code.clientHeight) code.scrollTop = Math.max(top - code.clientHeight / 3, 0);
  }

  function cursor(number, position) {
    const one = view.panes[number];
    one.lines[one.cursor]?.classList.remove("cursor");
    one.cursor = Math.min(Math.max(position, 0), one.lines.length - 1);
    const line = one.lines[one.cursor];
    if (!line) return;
    line.classList.add("cursor");
    one.code.setAttribute("aria-activedescendant", line.id);
    const top = line.offsetTop, bottom = top + line.offsetHeight;
    if (top < one.code.scrollTop) one.code.scrollTop = top;
    if (bottom > one.code.scrollTop + one.code.clientHeight) one.code.scrollTop = bottom - one.code.clientHeight;
  }

  function choose(number) {
    if (!view.panes[number]) return;
    view.tab = number;
    view.panes.forEach((one, other) => one.element.classList.toggle("chosen", other === number));
    all(".tabs button", article).forEach((tab, other) => {
      tab.setAttribute("aria-selected", other === number);
      tab.tabIndex = other === number ? 0 : -1;
    });
    const marked = view.panes[number].lines.some((line) => line.classList.contains("on"));
    if (marked) reveal(view.panes[number]);
    else if (number && !view.panes[number].code.scrollTop) begin(view.panes[number]);
  }

  function turnTo(to) {
    if (!view || direction === to || (to === 1 && !view.sheet.code.some((code) => code.parts[1]))) return;
    const focused = view.panes.findIndex((one) => one.code === document.activeElement);
    direction = to;
    all(".switch button", article).forEach((button, number) => button.setAttribute("aria-pressed", number === to));
    texts();
    mark(view.pinned, -1);
    if (focused >= 0) view.panes[focused].code.focus();
  }

  // ---------------------------------------------------------------------------------------------------- where one is
  const narrow = matchMedia("(max-width: 860px)");
  const go = (id) => { location.hash = `#${encodeURIComponent(id)}`; };

  function route() {
    const hash = location.hash.slice(1);
    let id = "";
    try { id = decodeURIComponent(hash); } catch { /* no id */ }
    const number = place.get(id);
    const where = number !== undefined ? "pair" : hash === "/pairs" ? "pairs" : "overview";
    document.body.dataset.view = where;
    $("#overview").hidden = where !== "overview";
    $("#browser").hidden = where === "overview";
    for (const link of all("[data-goto]")) {
      if ((link.dataset.goto === "overview") === (where === "overview")) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (where === "overview" && id) notShown(id);
    if (number !== undefined && number !== opened) show(number);
    if (where !== "overview") { draw(); if (document.activeElement === document.body) (where === "pair" && narrow.matches ? article : list).focus(); }
    if (where === "pairs" && opened < 0 && found.length && !narrow.matches) show(found[active]);
  }

  /** Somebody followed a link to a pair that is not in the page. */
  function notShown(id) {
    document.body.dataset.view = "pair";
    $("#overview").hidden = true;
    $("#browser").hidden = false;
    opened = -1;
    view = null;
    article.replaceChildren(el("p.empty", {}, `The pair ${id} is not among those of this page. `,
      el("code", {}, `warpsmith-validate DIR --show ${id}`), " prints it."));
  }

  function toList() {
    location.hash = "#/pairs";
    list.focus();
  }

  // ------------------------------------------------------------------------------------------------------------ keys
  function back() {
    const at = document.activeElement;
    if (at === fields.search || at.closest?.(".filters")) list.focus();
    else if (view?.pinned && document.body.dataset.view === "pair") { view.pinned = 0; mark(0, -1); }
    else if (document.body.dataset.view === "pair" && (narrow.matches || !list.contains(at))) toList();
    else location.hash = "#";
  }

  function step(steps) {
    if (document.body.dataset.view === "overview") return false;
    const number = view ? view.panes.findIndex((one) => one.code === document.activeElement) : -1;
    if (number < 0) move(steps);
    else {
      const one = view.panes[number];
      cursor(number, one.cursor + steps);
      mark(one.heads[one.cursor] || view.pinned, number);
    }
    return true;
  }

  function enter() {
    const at = document.activeElement;
    const number = view ? view.panes.findIndex((one) => one.code === at) : -1;
    if (number >= 0 && view.panes[number].cursor >= 0) { pin(number, view.panes[number].cursor); return true; }
    if (at === list && found.length) {
      const card = cards[found[active]];
      if (location.hash === `#${encodeURIComponent(card.id)}`) view?.panes[0]?.code.focus();
      else go(card.id);
      return true;
    }
    return false;
  }

  function toPane(number) {
    if (!view?.panes[number]) return false;
    choose(number);
    view.panes[number].code.focus();
    return true;
  }

  function toSearch() {
    if (document.body.dataset.view === "overview" || narrow.matches) location.hash = "#/pairs";
    route();
    fields.search.focus();
    fields.search.select();
    return true;
  }

  const KEYS = {
    "/": toSearch,
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    PageDown: () => document.activeElement === list && step(8), PageUp: () => document.activeElement === list && step(-8),
    Enter: enter,
    f: () => { turnTo(0); return true; }, a: () => { turnTo(1); return true; },
    1: () => toPane(0), 2: () => toPane(1), 3: () => toPane(2),
    o: () => { location.hash = "#"; return true; },
    t: () => { theme(); return true; },
    "?": () => { $("#help").showModal(); return true; },
    Escape: () => { back(); return true; },
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("#help").open) return;
    const typing = event.target.matches("input, select");
    if (typing && event.key !== "Escape" && !(event.target === fields.search && ["Enter", "ArrowDown"].includes(event.key))) return;
    if (typing && event.key !== "Escape") list.focus();
    if (KEYS[event.key]?.()) event.preventDefault();
  });

  // ----------------------------------------------------------------------------------------------------------- theme
  function theme() {
    const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", document.documentElement.dataset.theme); } catch { /* not kept, then */ }
  }
  try {
    const kept = localStorage.getItem("theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch { /* as the system has it */ }

  $("#theme").addEventListener("click", theme);
  $("#keys").addEventListener("click", () => $("#help").showModal());
  $("#clear").addEventListener("click", () => { for (const field of Object.values(fields)) field.value = ""; filter(); fields.search.focus(); });
  $(".finder form").addEventListener("submit", (event) => event.preventDefault());
  for (const field of Object.values(fields)) field.addEventListener("input", filter);
  list.addEventListener("scroll", draw);
  addEventListener("resize", draw);
  addEventListener("hashchange", route);
  filter();
  route();
})();
