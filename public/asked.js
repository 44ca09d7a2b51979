// Helps with the page of a request for a document: pictures, progress, and connections that break. The page is whole
// without it, and browsers of 2018 run it.

/** Where files wait until they have arrived, so that a page that is loaded again goes on. */
const shelf = 'files';

/** Milliseconds after which a broken connection is tried again, at first and at most. */
const waits = { first: 1000, most: 30000 };

/** Does something on the shelf. Without one, as in a private window, nothing is kept. */
function onShelf(work) {
  return new Promise((done) => {
    try {
      const opening = indexedDB.open('asked', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(shelf);
      opening.onerror = () => done(undefined);
      opening.onsuccess = () => {
        const request = work(opening.result.transaction(shelf, 'readwrite').objectStore(shelf));
        request.onsuccess = () => done(request.result);
        request.onerror = () => done(undefined);
      };
    } catch (_error) {
      done(undefined);
    }
  });
}

/** Creates an element with a class and words. */
function make(tag, name, words) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (words) element.textContent = words;
  return element;
}

/** Turns a picture by a quarter to the right. What cannot be drawn stays as it is. */
function turned(blob) {
  return new Promise((done) => {
    const picture = new Image();
    const address = URL.createObjectURL(blob);
    picture.onerror = () => done(blob);
    picture.onload = () => {
      URL.revokeObjectURL(address);
      const scale = Math.min(1, 4000 / Math.max(picture.naturalWidth, picture.naturalHeight));
      const width = Math.round(picture.naturalWidth * scale);
      const height = Math.round(picture.naturalHeight * scale);
      const canvas = document.createElement('canvas');
      canvas.width = height;
      canvas.height = width;
      const pen = canvas.getContext('2d');
      pen.translate(height, 0);
      pen.rotate(Math.PI / 2);
      pen.drawImage(picture, 0, 0, width, height);
      canvas.toBlob((made) => done(made || blob), 'image/jpeg', 0.9);
    };
    picture.src = address;
  });
}

/** Returns when the connection may be there again. */
function pause(milliseconds) {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    addEventListener(
      'online',
      () => {
        clearTimeout(timer);
        done();
      },
      { once: true },
    );
  });
}

/** Sends a form. It resolves to the request, which has the status 0 if the connection broke. */
function post(body, onProgress) {
  return new Promise((done) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', location.href);
    sending.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    sending.onloadend = () => done(sending);
    sending.send(body);
  });
}

/** Lets a form show the files that were chosen, and send them one by one. */
function help(form) {
  const words = form.dataset;
  const id = form.elements.request.value;
  const input = form.querySelector('input[type="file"]');
  const send = form.querySelector('button');
  const list = make('ul', 'chosen');
  const said = make('p', 'said');
  said.setAttribute('role', 'status');
  let files = [];

  const keep = () =>
    onShelf((store) =>
      files.length > 0
        ? store.put(
            files.map(({ name, blob }) => ({ name, blob })),
            id,
          )
        : store.delete(id),
    );

  /** Shows a file with what can be done with it. */
  function show(file) {
    file.row = make('li');
    const name = make('span', 'name', file.name);
    name.dir = 'auto';
    file.bar = make('progress');
    file.bar.hidden = true;
    file.bar.setAttribute('aria-label', file.name);
    const button = (label, work) => {
      const made = make('button', 'quiet', label);
      made.type = 'button';
      made.setAttribute('aria-label', `${label}: ${file.name}`);
      made.onclick = work;
      return made;
    };
    if (/^image\/(jpeg|png|webp)$/.test(file.blob.type)) {
      const picture = make('img');
      picture.alt = '';
      const draw = () => {
        URL.revokeObjectURL(picture.src);
        picture.src = URL.createObjectURL(file.blob);
      };
      draw();
      const turn = button(words.turn, () => {
        turn.disabled = true;
        turned(file.blob).then((blob) => {
          file.blob = blob;
          if (blob.type === 'image/jpeg') file.name = file.name.replace(/\.\w+$/, '.jpg');
          draw();
          keep();
          turn.disabled = false;
        });
      });
      file.row.append(picture, name, file.bar, turn);
    } else file.row.append(name, file.bar);
    file.row.append(
      button(words.remove, () => {
        forget(file);
        keep();
        send.focus();
      }),
    );
    list.append(file.row);
  }

  function forget(file) {
    files = files.filter((one) => one !== file);
    file.row.remove();
  }

  function add(more) {
    for (const { name, blob } of more) {
      const file = { name, blob };
      files.push(file);
      show(file);
    }
  }

  /** Takes the files of an input over. It is empty then, so that the form sends nothing twice. */
  function take(from) {
    add(Array.from(from.files).map((blob) => ({ name: blob.name, blob })));
    from.value = '';
    said.textContent = '';
    keep();
  }

  /** Sends a file until it has arrived or is refused. Returns whether it has arrived. */
  async function deliver(file, isFirst) {
    const body = new FormData();
    body.append('request', id);
    body.append('script', '1');
    if (isFirst) for (const name of ['date', 'words']) body.append(name, form.elements[name].value);
    body.append('file', file.blob, file.name);
    file.bar.hidden = false;
    for (let wait = waits.first; ; wait = Math.min(2 * wait, waits.most)) {
      said.textContent = words.sending;
      const { status, responseText } = await post(body, (loaded, total) => {
        file.bar.max = total;
        file.bar.value = loaded;
      });
      if (status === 204) return true;
      if (status !== 0 && status !== 429 && status < 500) {
        const wrong = new DOMParser().parseFromString(responseText, 'text/html').querySelector('.wrong');
        said.textContent = wrong ? wrong.textContent : '';
        file.bar.hidden = true;
        // Nothing is asked for any more.
        if (!wrong) onShelf((store) => store.delete(id)).then(() => location.reload());
        return false;
      }
      said.textContent = words.waiting;
      await pause(status === 429 ? 20000 : wait);
    }
  }

  async function deliverAll() {
    send.disabled = true;
    for (const [at, file] of files.slice().entries()) {
      if (!(await deliver(file, at === 0))) {
        send.disabled = false;
        return;
      }
      forget(file);
      await keep();
    }
    location.reload();
  }

  // A mouse has no camera.
  if (matchMedia('(pointer: coarse)').matches) {
    const camera = make('input');
    camera.type = 'file';
    camera.accept = 'image/*';
    camera.setAttribute('capture', 'environment');
    camera.hidden = true;
    camera.onchange = () => take(camera);
    const shoot = make('button', 'camera', words.camera);
    shoot.type = 'button';
    shoot.onclick = () => camera.click();
    input.before(shoot, camera);
  }
  input.onchange = () => take(input);
  document.getElementById(`hint-${id}`).after(list);
  send.before(said);
  form.onsubmit = (event) => {
    if (files.length === 0) return;
    event.preventDefault();
    deliverAll();
  };
  onShelf((store) => store.get(id)).then((kept) => add(kept || []));
}

document.querySelectorAll('form[data-turn]').forEach(help);

// Says that a person has opened the page. Programs that scan mail run no scripts.
const opened = new FormData();
opened.append('opened', '1');
fetch(location.href, { method: 'POST', body: opened }).catch(() => {});
