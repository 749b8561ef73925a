// The list of pairs.

const ROW = 54; // pixels, as in page.css
const list = $("#list"), rows = $("#rows");
let matches = [], active = 0, opened = -1;

function filter() {
  const previous = matches[active];
  matches = matching();
  active = Math.max(matches.indexOf(previous), 0);
  const set = Object.values(fields).some((field) => field.value);
  $("#count").textContent = set ? `${matches.length} of ${cards.length} match` : `${cards.length} pairs`;
  $("#clear").hidden = !set;
  for (const field of all(".filters select")) field.classList.toggle("set", Boolean(field.value));
  rows.style.height = `${matches.length * ROW}px`;
  list.scrollTo({top: Math.max(active * ROW - ROW, 0)});
  draw();
}

/** Put only the visible rows and the active row into the document. */
function draw() {
  const first = Math.max(Math.floor(list.scrollTop / ROW) - 4, 0);
  const last = Math.min(first + Math.ceil(list.clientHeight / ROW) + 9, matches.length);
  const visible = [...Array(Math.max(last - first, 0)).keys()].map((step) => first + step);
  if (matches.length && !visible.includes(active)) visible.push(active);
  rows.replaceChildren(...visible.map(row));
  if (matches.length) list.setAttribute("aria-activedescendant", `row-${active}`);
  else list.removeAttribute("aria-activedescendant");
}

function row(position) {
  const card = cards[matches[position]];
  const state = card.worst && el(`span.state.is-${card.worst}`, {}, `${STATUS[card.worst]} ${card.level}`, el("span.hidden", {}, ` ${card.worst}`));
  const made = el("div.row", {role: "option", id: `row-${position}`, "aria-selected": matches[position] === opened,
    "aria-posinset": position + 1, "aria-setsize": matches.length},
    el("div", {}, el("span.id", {}, card.id), state),
    el("p", {title: card.description}, `${card.category} · ${card.description}`));
  made.classList.toggle("active", position === active);
  made.style.top = `${position * ROW}px`;
  made.addEventListener("click", () => { active = position; go(card.id); });
  return made;
}

function move(steps) {
  active = Math.min(Math.max(active + steps, 0), Math.max(matches.length - 1, 0));
  const top = active * ROW;
  if (top < list.scrollTop) list.scrollTo({top});
  if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTo({top: top + ROW - list.clientHeight});
  draw();
}
