// Keyboard shortcuts.

function back() {
  const focused = document.activeElement;
  if (focused === fields.search || focused.closest?.(".filters")) list.focus();
  else if (view?.pinned && document.body.dataset.view === "pair") { view.pinned = 0; mark(0, -1); }
  else if (document.body.dataset.view === "pair" && (narrow.matches || !list.contains(focused))) toList();
  else location.hash = "#";
}

function step(steps) {
  if (document.body.dataset.view === "overview") return false;
  const number = view ? view.panes.findIndex((one) => one.code === document.activeElement) : -1;
  if (number < 0) {
    move(steps);
    if (matches.length && (document.body.dataset.view === "pair" || !narrow.matches)) turn(cards[matches[active]].id);
  } else {
    const one = view.panes[number];
    cursor(number, one.cursor + steps);
    mark(one.heads[one.cursor] || view.pinned, number);
  }
  return true;
}

function enter() {
  const focused = document.activeElement;
  const number = view ? view.panes.findIndex((one) => one.code === focused) : -1;
  if (number >= 0 && view.panes[number].cursor >= 0) { pin(number, view.panes[number].cursor); return true; }
  if (focused === list && matches.length) {
    const card = cards[matches[active]];
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
  Home: () => document.activeElement === list && step(-Infinity), End: () => document.activeElement === list && step(Infinity),
  c: () => { view?.panes[view.tab]?.element.querySelector(".copy").click(); return true; },
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
