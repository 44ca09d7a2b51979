// Says that a person has opened the page of a link. Programs that scan mail run no scripts.
const opened = new FormData();
opened.append('opened', '1');
// The page is whole without it.
fetch(location.href, { method: 'POST', body: opened }).catch(() => {});
