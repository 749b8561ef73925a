// One pair: its head, its tabs and its texts in panes.

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
  const position = matches.indexOf(number);
  if (position >= 0) { active = position; move(0); } else draw();
  let sheet;
  try {
    sheet = await unpack(number);
  } catch (error) {
    article.replaceChildren(el("p.empty", {}, `This browser cannot decompress the pair (${error.message}). `,
      el("code", {}, `warpsmith-dataset show DIR ${cards[number].id}`), " prints it."));
    return;
  }
  if (opened !== number) return; // another pair was opened meanwhile
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
    sheet.note ? el("p.cut", {}, sheet.note) : null,
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

/** Scroll past the declarations at the start of a generated text, to the first line that maps to Python. */
function begin({code, lines, heads}) {
  const reverse = lines.findLastIndex((line) => line.textContent.trim() === "// reverse");
  const first = lines[direction ? reverse : heads.findIndex(Boolean)];
  if (first) code.scrollTop = Math.max(first.offsetTop - 40, 0);
}

function pane(part, number, reached) {
  const lines = part.lines.map((pieces, position) => {
    const line = el("div.l", {role: "option", id: `line-${number}-${position}`, "data-n": position + 1, "aria-selected": "false"});
    for (let at = 0; at < pieces.length; at += 2) line.append(pieces[at] ? el(`span.${pieces[at]}`, {}, pieces[at + 1]) : pieces[at + 1]);
    if (!pieces.length) line.append(el("br"));
    if (part.heads[position] && reached.has(part.heads[position])) line.classList.add("has");
    return line;
  });
  const code = el("div.code", {role: "listbox", tabindex: "0", "aria-label": part.name},
    part.none ? el("p.empty", {}, part.none) : null, el("div.lines", {role: "presentation"}, ...lines),
    part.cut ? el("p.cut", {}, `${part.cut} more lines are omitted; warpsmith-dataset show DIR ${cards[view.number].id} prints them.`) : null);
  const made = {code, lines, heads: part.heads, cursor: -1,
    element: el("section.pane", {id: `pane-${number}`, "aria-label": part.name},
      el("h3", {}, part.name, el("span", {}, `${part.lines.length} lines`), copyButton(part)), code)};
  const under = (event) => lines.indexOf(event.target.closest?.(".l"));
  code.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && under(event) >= 0) mark(made.heads[under(event)] || view.pinned, number);
  });
  code.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") mark(view.pinned, number); });
  code.addEventListener("click", (event) => { if (under(event) >= 0) { cursor(number, under(event)); pin(number, under(event)); } });
  code.addEventListener("focus", () => { view.tab = number; });
  return made;
}
