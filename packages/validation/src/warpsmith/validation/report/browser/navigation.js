// Views, and links to pairs.

const narrow = matchMedia("(max-width: 860px)");
const go = (id) => { location.hash = `#${encodeURIComponent(id)}`; };

function route() {
  const hash = location.hash.slice(1);
  let id = "";
  try { id = decodeURIComponent(hash); } catch { /* not an id */ }
  const number = numbers.get(id);
  const viewName = number !== undefined ? "pair" : hash === "/pairs" ? "pairs" : "overview";
  document.body.dataset.view = viewName;
  $("#overview").hidden = viewName !== "overview";
  $("#browser").hidden = viewName === "overview";
  for (const link of all("[data-goto]")) {
    if ((link.dataset.goto === "overview") === (viewName === "overview")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (viewName === "overview" && id) notShown(id);
  if (number !== undefined && number !== opened) show(number);
  if (viewName !== "overview") { draw(); if (document.activeElement === document.body) (viewName === "pair" && narrow.matches ? article : list).focus(); }
  if (viewName === "pairs" && opened < 0 && matches.length && !narrow.matches) show(matches[active]);
}

/** Tell that the page does not contain the pair of a link. */
function notShown(id) {
  document.body.dataset.view = "pair";
  $("#overview").hidden = true;
  $("#browser").hidden = false;
  opened = -1;
  view = null;
  article.replaceChildren(el("p.empty", {}, `This page does not contain the pair ${id}. `,
    el("code", {}, `warpsmith-dataset show DIR ${id}`), " prints it."));
}

function toList() {
  location.hash = "#/pairs";
  list.focus();
}
