// How long the import of a file takes, how much memory, and how many statements: npm run bench -- import
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { startGateway } from './lib/gateway.mjs';
import { cpuOf, peakMemoryOf, watchChildren } from './lib/processes.mjs';
import { keep, table } from './lib/table.mjs';
import { deflatedZip } from './lib/zips.mjs';

/** Milliseconds between two questions to the gateway. */
const interval = 100;

/** Files of each kind: the header, and a row by its number. `version` changes what an update would change. */
const files = {
  items: {
    header:
      'id,name,expiration_date,details,category_name,contacts,tags,locations,custom:Number,custom:Supplier',
    row: (n, version) =>
      [
        ...[`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, `Item ${n}`],
        `20${27 + (n % 9)}-0${1 + (n % 9)}-1${n % 9}`,
        ...[
          `Imported ${version}`,
          `Type ${n % 20}`,
          `person-${n % 2_000}@example.com;person-${(n * 7) % 2_000}@example.com`,
        ],
        ...[`tag ${n % 50};tag ${(n * 3) % 50}`, `Place ${n % 100}`, `N-${n}`, `Supplier ${n % 300}`],
      ].join(','),
  },
  contacts: {
    header: 'email,name,phone,custom:Number',
    row: (n, version) => `new-${n}@example.com,Person ${n},+1 555 ${version},N-${n}`,
  },
  vehicles: {
    header: 'vin,name,license_plate,year,custom:Number',
    row: (n, version) => `VIN${n},Vehicle ${n},P ${version},20${10 + (n % 10)},N-${n}`,
  },
  locations: {
    header: 'path,custom:Number',
    row: (n, version) =>
      n % 100 === 0 ? `Site ${n},${version}` : `Site ${n - (n % 100)} / Room ${n},${version}`,
  },
};

const fileOf = ({ header, row }, rows, version) =>
  [header, ...Array.from({ length: rows }, (_, n) => row(n, version))].join('\r\n');

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relation = (type, target) =>
  `<Relationships><Relationship Id="a" Type="${relationships}/${type}" Target="${target}"/></Relationships>`;

/** Makes a workbook of the cells of a CSV file, whose texts have no commas. */
function workbookOf(csv) {
  const escaped = (text) => text.replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const cell = (text) => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
  const rows = csv.split('\r\n').map((row) => `<row>${row.split(',').map(cell).join('')}</row>`);
  return deflatedZip({
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns:r="${relationships}"><sheets><sheet name="A" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  });
}

/** Sends a request, and returns the JSON of the answer. */
async function send({ url, token }, path, options = {}) {
  const answer = await fetch(`${url}/v1/imports${path}`, {
    ...options,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
  });
  if (!answer.ok) throw new Failure(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Waits until an import is in another state. @returns the import, and the seconds of wall and processor time */
async function finish(gateway, { id, state }, pids) {
  const [started, before] = [performance.now(), pids.map(cpuOf)];
  for (;;) {
    const found = await send(gateway, `/${id}`);
    if (found.state === 'failed') throw new Failure(found.error);
    if (found.state !== state) {
      const cpu = pids.map((pid, at) => cpuOf(pid) - before[at]);
      return { found, seconds: (performance.now() - started) / 1000, cpu };
    }
    await pause(interval);
  }
}

/** Milliseconds between two small requests of somebody else. */
const betweenOthers = 20;

/** Milliseconds for which somebody else's requests are measured before the import. */
const idleMs = 5_000;

/** Sends a small request again and again, as somebody else would. Its time counts from when it was due. */
function askMeanwhile({ url, token }) {
  let [isOver, times] = [false, []];
  const headers = { Authorization: `Bearer ${token}` };
  const ask = async (due) => {
    const answer = await fetch(`${url}/v1/vehicles?paging=5`, { headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Failure(`A small request was answered ${answer.status}.`);
    times.push(performance.now() - due);
  };
  const ended = (async () => {
    const asked = [];
    for (let due = performance.now(); !isOver; due += betweenOthers) {
      await pause(Math.max(0, due - performance.now()));
      asked.push(ask(due));
    }
    await Promise.all(asked);
  })();
  const summary = () => {
    const sorted = times.sort((one, other) => one - other);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    times = [];
    return { p50: at(0.5), p99: at(0.99), most: at(1) };
  };
  return {
    /** Returns the times since the last summary, in milliseconds. */
    summary,
    async end() {
      isOver = true;
      await ended;
      return summary();
    },
  };
}

/** Previews and runs a file. */
async function measure(database, kind, text, statements) {
  // With `trace`, each statement is a line of the log, which takes time: times are measured without.
  let count = 0;
  const counting = (chunk) => {
    count += chunk.split('A statement was sent').length - 1;
  };
  const gateway = await startGateway(
    database,
    statements ? { LOG_LEVEL: 'trace' } : {},
    [],
    statements ? counting : undefined,
  );
  const endWatch = watchChildren(gateway.pid);
  try {
    const pids = [gateway.pid, database.pid];
    const others = askMeanwhile(gateway);
    await pause(idleMs);
    const idle = others.summary();
    const again = await send(gateway, `?kind=${kind}&mode=upsert&again=true`, { method: 'POST', body: text });
    const preview = await finish(gateway, again, pids);
    const between = count;
    const running = await send(gateway, `/${again.id}/run`, { method: 'POST' });
    const run = await finish(gateway, running, pids);
    return {
      ...{ preview, run, idle, meanwhile: await others.end(), statements: [between, count - between] },
      mebibytes: [peakMemoryOf(gateway.pid), endWatch()],
    };
  } finally {
    endWatch();
    await gateway.close();
  }
}

/** Runs the measurement. */
export async function run({
  rows,
  only = Object.keys(files),
  statements = false,
  workbook = false,
  turns: count = 3,
}) {
  // A workbook is compared with the same rows as CSV, by turns.
  const forms = workbook ? ['CSV', 'xlsx'] : ['CSV'];
  const database = await prepare({ items: 1_000, writable: 0, contacts: 100, vehicles: 100 });
  const results = [];
  try {
    for (const kind of only) {
      if (!files[kind]) throw new Failure(`There are no files of ${kind}.`);
      // The first turn creates the records, and the others update them.
      const turns = Array.from({ length: count }, (_, turn) =>
        forms.map((form) => ({ form, version: `${turn} ${form}` })),
      ).flat();
      for (const { form, version } of turns) {
        const text = fileOf(files[kind], rows, version);
        const file = form === 'xlsx' ? workbookOf(text) : text;
        const { preview, run, ...others } = await measure(database, kind, file, statements);
        const {
          created_count: created,
          updated_count: updated,
          unchanged_count: unchanged,
          failed_count: failed,
        } = run.found;
        const of = ({ seconds, cpu }) => ({ seconds, cpu });
        results.push({
          ...{ kind, form, created, updated, unchanged, failed },
          ...{ preview: of(preview), run: of(run), ...others },
        });
      }
    }
  } finally {
    await database.close();
  }
  const counts = statements ? ['statements: preview', 'run'] : [];
  const head = [
    'rows of',
    'file',
    'created',
    'updated',
    'unchanged',
    'failed',
    'preview, s',
    'run, s',
    'CPU, s: gateway',
    'PostgreSQL',
    'MiB: gateway',
    'reader',
    ...["others' p99, ms: before", 'meanwhile', 'most'],
    ...counts,
  ];
  const lines = results.map(
    ({
      kind,
      form,
      created,
      updated,
      unchanged,
      failed,
      preview,
      run,
      mebibytes,
      idle,
      meanwhile,
      ...rest
    }) => [
      ...[
        kind,
        form,
        created,
        updated,
        unchanged,
        failed,
        preview.seconds.toFixed(1),
        run.seconds.toFixed(1),
      ],
      ...[0, 1].map((at) => (preview.cpu[at] + run.cpu[at]).toFixed(1)),
      ...mebibytes.map((peak) => peak.toFixed(0)),
      ...[idle.p99, meanwhile.p99, meanwhile.most].map((ms) => ms.toFixed(0)),
      ...(statements ? rest.statements : []),
    ],
  );
  console.log(table(head, lines));
  keep('import', { node: process.version, rows, results });
}
