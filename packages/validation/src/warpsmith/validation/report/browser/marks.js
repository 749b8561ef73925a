// Marked lines, the cursor, the chosen pane and the direction of the code.

/** Keep the marks of a line, or remove them if they are kept. */
function pin(number, position) {
  const line = view.panes[number].heads[position] ?? 0;
  view.pinned = view.pinned === line ? 0 : line;
  mark(view.pinned, number);
}

/** Mark all lines of one statement of Python, or of none for 0, and scroll to them in the panes other than `origin`. */
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

/** Scroll to the first marked line; in an adjoint, which repeats forward statements, to the last group of marked lines. */
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
