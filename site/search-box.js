// The search box of every page. Words are looked up as beginnings of words; a section must have all
// of them. A match in a title counts more than one in a heading, and that more than one in the text.
(() => {
  const box = document.getElementById('search');
  const list = document.getElementById('results');
  const base = box.dataset.base;
  const MOST = 12;
  let loading = null;

  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${base}search-index.js`;
      script.onload = () => resolve(window.searchIndex);
      script.onerror = reject;
      document.head.append(script);
    });
    return loading;
  }

  const beginning = (word) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'iu');

  function score(page, [, heading, text], words) {
    let sum = 0;
    for (const word of words) {
      const here = (word.test(page.title) ? 4 : 0) + (word.test(heading) ? 8 : 0) +
        (word.test(text) ? 1 : 0);
      if (!here) return 0;
      sum += here;
    }
    return sum;
  }

  function excerpt(text, words) {
    const at = Math.max(0, ...words.map((word) => text.search(word)));
    const from = Math.max(0, at - 40);
    return `${from ? '… ' : ''}${text.slice(from, from + 120)}${text.length > from + 120 ? ' …' : ''}`;
  }

  function find(index, query) {
    const words = query.trim().split(/\s+/).filter(Boolean).map(beginning);
    if (!words.length) return [];
    const found = [];
    for (const page of index)
      for (const section of page.sections) {
        const points = score(page, section, words);
        if (points) found.push({ page, section, points, words });
      }
    return found.sort((a, b) => b.points - a.points).slice(0, MOST);
  }

  function show(found, query) {
    list.replaceChildren(...found.map(({ page, section: [anchor, heading, text], words }) => {
      const link = document.createElement('a');
      link.href = `${base}${page.address}#${encodeURIComponent(anchor)}`;
      const title = document.createElement('b');
      title.textContent = heading === page.title ? heading : `${page.title}: ${heading}`;
      const line = document.createElement('span');
      line.textContent = excerpt(text, words);
      link.append(title, line);
      return link;
    }));
    if (!found.length) list.textContent = `Nothing found for “${query}”.`;
    list.hidden = !query.trim();
  }

  async function look() {
    try {
      show(find(await load(), box.value), box.value);
    } catch {
      list.textContent = 'The search index could not be loaded.';
      list.hidden = false;
    }
  }

  box.addEventListener('input', look);
  box.addEventListener('focus', () => { load(); if (box.value) list.hidden = false; });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
      event.preventDefault();
      box.focus();
    } else if (event.key === 'Escape') {
      list.hidden = true;
      box.blur();
    } else if (event.key === 'Enter' && document.activeElement === box) {
      list.querySelector('a')?.click();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('#finder')) list.hidden = true;
  });
})();
