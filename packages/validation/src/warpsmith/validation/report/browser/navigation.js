// Views, and links to pairs.

const narrow = matchMedia("(max-width: 860px)");
const go = (id) => { location.hash = `#${encodeURIComponent(id)}`; };

/** Open a pair in place of the open one, without a new entry in the history. */
function turn(id) {
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  route();
}

function route() {
  const hash = location.hash.slice(1);
  let id = "";
  try { id = decodeURIComponent(hash); } catch { /* not an id */ }
  const number = numbers.get(id);
  const [path, query] = hash.split("?");
  if (path === "/pairs" && query) setFilters(new URLSearchParams(query));
  const viewName = path === "/pairs" ? "pairs" : id ? "pair" : "overview";
  document.body.dataset.view = viewName;
  $("#overview").hidden = viewName !== "overview";
  $("#browser").hidden = viewName === "overview";
  for (const link of all("[data-goto]")) {
    if ((link.dataset.goto === "overview") === (viewName === "overview")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (viewName === "pair" && number === undefined) notShown(id);
  else if (viewName === "pair" && number !== opened) show(number);
  if (viewName !== "overview") { draw(); if (document.activeElement === document.body) (viewName === "pair" && narrow.matches ? article : list).focus(); }
  if (viewName === "pairs" && opened < 0 && matches.length && !narrow.matches) show(matches[active]);
}

/** Tell that the page does not contain the pair of a link. */
function notShown(id) {
  opened = -1;
  view = null;
  article.replaceChildren(el("p.empty", {}, `The pair ${id} is not among the ${cards.length} pairs of this page. If the dataset contains it, `,
    el("code", {}, `warpsmith-dataset show DIR ${id}`), " prints it. ", el("a", {href: "#/pairs"}, "All pairs of this page")));
}

function toList() {
  location.hash = "#/pairs";
  list.focus();
}
