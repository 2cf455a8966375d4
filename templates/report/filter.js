// Narrows the lists to the messages in which every word stands. Without this script the page shows all of them.
(() => {
  const bar = document.querySelector(".filter"), input = bar.querySelector("input"), said = bar.querySelector("output");
  const groups = [...document.querySelectorAll(".group")].map(group => ({
    group, details: group.querySelector("details"), lists: [...group.querySelectorAll(".rows")], rows: null,
    open: group.querySelector("details")?.open,
  }));
  const rowsOf = it => it.rows ??= it.lists.flatMap(list =>
    [...list.children].map(row => ({ row, text: row.textContent.toLowerCase() })));
  const narrow = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let hits = 0;
    for (const it of groups) {
      let here = 0;
      if (words.length || it.rows) for (const { row, text } of rowsOf(it)) {
        const fits = words.every(word => text.includes(word));
        if (row.hidden === fits) row.hidden = !fits;
        here += fits;
      }
      hits += here;
      it.group.hidden = words.length > 0 && here === 0;
      if (it.details) it.details.open = words.length ? here > 0 : it.open;
    }
    said.textContent = words.length ? hits.toLocaleString("en") + (hits === 1 ? " row" : " rows") : "";
  };
  let timer;
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(narrow, 120) });
  bar.hidden = false;
})();
