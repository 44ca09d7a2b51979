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
      const pen = document.createElement('canvas').getContext('2d');
      if (!pen) return done(blob);
      const { canvas } = pen;
      const scale = Math.min(1, 4000 / Math.max(picture.naturalWidth, picture.naturalHeight));
      const width = Math.round(picture.naturalWidth * scale);
      const height = Math.round(picture.naturalHeight * scale);
      canvas.width = height;
      canvas.height = width;
      pen.translate(height, 0);
      pen.rotate(Math.PI / 2);
      pen.drawImage(picture, 0, 0, width, height);
      canvas.toBlob((made) => done(made || blob), 'image/jpeg', 0.9);
    };
    picture.src = address;
  });
}

let cropping;

/** Loads what crops pictures, once. Without a connection, the next click tries again. */
function loadCropper({ cropper, look }) {
  if (!cropping)
    cropping = new Promise((done, fail) => {
      const style = make('link');
      style.rel = 'stylesheet';
      style.href = look;
      const script = make('script');
      script.type = 'module';
      script.src = cropper;
      addEventListener('crop', (event) => done(event.detail), { once: true });
      script.onerror = () => {
        cropping = undefined;
        fail();
      };
      document.head.append(style, script);
    });
  return cropping;
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

/** Sends a form. It resolves to the status, which is 0 if the connection broke. */
function post(sending, body, onProgress) {
  return new Promise((done) => {
    sending.open('POST', location.href);
    sending.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    sending.onloadend = () => done(sending.status);
    sending.send(body);
  });
}

/** Lets a form show the files that were chosen, and send them, as many at a time as the gateway takes. */
function help(form) {
  const words = document.querySelector('main').dataset;
  const most = Number(words.most);
  const id = form.elements.request.value;
  const input = form.querySelector('input[type="file"]');
  const send = form.querySelector('button');
  const list = make('ul', 'chosen');
  const said = make('p', 'said');
  said.setAttribute('role', 'status');
  let files = [];
  /** Files on their way, and the request that sends them. */
  let flight = { files: [] };
  /** Whether files have arrived whose answer is not complete. */
  let hasParts = false;

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
      /** Takes a picture over that was changed. One change follows another. */
      const change = (changed, work) => {
        for (const edit of file.edits) edit.disabled = true;
        file.changing = work()
          .then(
            ({ blob, whole }) => {
              if (blob !== whole && blob.type === 'image/jpeg')
                file.name = file.name.replace(/\.\w+$/, '.jpg');
              file.blob = blob;
              file.whole = whole;
              draw();
              keep();
            },
            () => {
              said.textContent = words.uncropped;
            },
          )
          .then(() => {
            for (const edit of file.edits) edit.disabled = send.disabled;
            if (!send.disabled) changed.focus();
          });
      };
      const place = make('div', 'cropping');
      const turn = button(words.turn, () => change(turn, () => turned(file.blob).then((blob) => ({ blob }))));
      const crop = button(words.crop, () => {
        said.textContent = '';
        // What was cropped before is cropped anew.
        const whole = file.whole || file.blob;
        change(crop, () =>
          loadCropper(words)
            .then((cut) => cut(whole, place, words))
            .then((blob) => ({ blob: blob || whole, whole })),
        );
      });
      file.edits = [turn, crop];
      for (const edit of file.edits) edit.disabled = send.disabled;
      file.row.append(picture, name, file.bar, turn, crop, place);
    } else file.row.append(name, file.bar);
    file.row.append(
      button(words.remove, () => {
        forget(file);
        keep();
        if (flight.files.includes(file)) flight.sending.abort();
        else if (!send.disabled) said.textContent = hasParts && files.length === 0 ? words.partly : '';
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

  /** Returns the next files that fit into one form. */
  function nextFiles() {
    let bytes = 0;
    return files.filter((file) => {
      bytes += file.blob.size;
      return bytes <= most;
    });
  }

  /** Shows how much of some files was sent. A form has few bytes besides them. */
  function showProgress(sent, share) {
    let left = share * sent.reduce((sum, { blob }) => sum + blob.size, 0);
    for (const { bar, blob } of sent) {
      bar.hidden = false;
      bar.max = blob.size || 1;
      bar.value = Math.min(bar.max, Math.max(0, left));
      left -= blob.size;
    }
  }

  /** Says why files were not taken. They stay in the list. */
  function refuse(status, page) {
    const wrong = new DOMParser().parseFromString(page, 'text/html').querySelector('.wrong');
    const isOver = status === 404 && !wrong;
    said.textContent = wrong ? wrong.textContent : isOver ? words.ended : words.failed;
    // Nobody comes back for them.
    if (isOver) onShelf((store) => store.delete(id));
  }

  /** Sends all files until they have arrived or are refused. Returns whether they have arrived. */
  async function deliver() {
    let wait = waits.first;
    // Each attempt sends what is in the list by then.
    while (files.length > 0 || hasParts) {
      await Promise.all(files.map(({ changing }) => changing));
      const large = files.find(({ blob }) => blob.size > most);
      if (large) {
        said.textContent = `${large.name}: ${words.large}`;
        return false;
      }
      const sent = nextFiles();
      const isLast = sent.length === files.length;
      const body = new FormData();
      body.append('request', id);
      body.append('script', '1');
      if (isLast) for (const name of ['date', 'words']) body.append(name, form.elements[name].value);
      else body.append('more', '1');
      for (const { blob, name } of sent) body.append('file', blob, name);
      flight = { files: sent, sending: new XMLHttpRequest() };
      said.textContent = words.sending;
      showProgress(sent, 0);
      const status = await post(flight.sending, body, (loaded, total) => showProgress(sent, loaded / total));
      const page = flight.sending.responseText;
      const wasTakenAway = sent.some((file) => !files.includes(file));
      flight = { files: [] };
      if (status === 204) {
        for (const file of sent) forget(file);
        hasParts = !isLast;
        await keep();
        if (isLast && files.length === 0) return true;
        wait = waits.first;
      } else if (status === 0 || status === 408 || status === 429 || status >= 500) {
        if (wasTakenAway) continue;
        said.textContent = words.waiting;
        await pause(status === 429 ? 20000 : wait);
        wait = Math.min(2 * wait, waits.most);
      } else {
        for (const { bar } of sent) bar.hidden = true;
        refuse(status, page);
        return false;
      }
    }
    said.textContent = '';
    return false;
  }

  /** Lets pictures be changed, or not while they are sent. */
  function lock(isLocked) {
    send.disabled = isLocked;
    for (const { edits } of files) for (const edit of edits || []) edit.disabled = isLocked;
  }

  async function deliverAll() {
    lock(true);
    const hasArrived = await deliver();
    if (hasArrived) location.reload();
    else lock(false);
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
    if (files.length === 0 && !hasParts) return;
    event.preventDefault();
    // What is being cropped is sent as it is shown.
    for (const done of list.querySelectorAll('.cropping > button:not(.quiet)')) done.click();
    deliverAll();
  };
  onShelf((store) => store.get(id)).then((kept) => add(kept || []));
}

document.querySelectorAll('form.files').forEach(help);

// Says that a person has opened the page. Programs that scan mail run no scripts.
const opened = new FormData();
opened.append('opened', '1');
fetch(location.href, { method: 'POST', body: opened }).catch(() => {});
