// The theme and the listeners; starts the page.

function theme() {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
  try { localStorage.setItem("theme", document.documentElement.dataset.theme); } catch { /* the theme is not stored */ }
}
try {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch { /* the theme of the system applies */ }

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
