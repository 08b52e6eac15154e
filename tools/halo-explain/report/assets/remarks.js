// Filtering the decisions, and the ones that the page has no elements for yet.

function startRemarks() {
  const place = byId("remarks-filter");
  if (!place) return;
  const filter = element("input", {
    type: "search",
    placeholder: "Filter by text, op or place",
    "aria-label": "Filter the decisions",
    oninput: debounced(() => filterRemarks(filter.value)),
  });
  place.append(element("p", { class: "controls" }, filter));
  const note = byId("more-remarks");
  if (note) {
    const show = async () => {
      await addRemarks();
      note.remove();
      filterRemarks(filter.value);
    };
    note.append(" ", element("button", { type: "button", onclick: show }, "Show them"));
  }
}

function filterRemarks(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of document.querySelectorAll("#remarks .group")) {
    const name = group.querySelector("summary").textContent.toLowerCase();
    let seen = 0;
    for (const item of group.querySelectorAll(".remarks > li")) {
      const about = name + item.querySelector("p").textContent.toLowerCase();
      const places = [...item.querySelectorAll(".places > li")];
      let ofItem = 0;
      for (const place of places) {
        const all = about + place.textContent.toLowerCase();
        place.hidden = !words.every((word) => all.includes(word));
        ofItem += place.hidden ? 0 : 1;
      }
      const all = about + item.textContent.toLowerCase();
      item.hidden = places.length ? ofItem === 0 : !words.every((word) => all.includes(word));
      seen += item.hidden ? 0 : 1;
    }
    group.hidden = seen === 0;
  }
}

async function addRemarks() {
  const model = await load();
  const seen = new Set();
  for (const group of document.querySelectorAll("#remarks .group")) {
    const list = group.querySelector(".remarks");
    const step = Number(group.dataset.step);
    // A step has two groups if some of its refusals were overcome.
    if (seen.has(step)) continue;
    seen.add(step);
    const remarks = model.record.remarks.filter((remark) => remark.step === step);
    list.append(...remarks.slice(Number(group.dataset.listed)).map((remark) => remarkItem(model, remark)));
  }
}
