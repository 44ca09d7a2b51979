// The command line: the measurements, and the options of each with their defaults.
import { InvalidArgumentError, Option } from 'commander';

function number(text) {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

function count(text) {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

const names = (text) => text.split(',');
const counts = (text) => names(text).map(count);

const rounds = (usual) => ['--rounds <number>', 'how often everything is measured', count, usual];
const duration = (usual, of = 'each cell is measured') => [
  '--duration <seconds>',
  `how long ${of}`,
  number,
  usual,
];
const warmup = (usual) => ['--warmup <seconds>', 'how long the server is warmed up before', number, usual];
const workload = (usual) => ['--workload <names>', 'only these workloads, such as W3,W4', names, usual];
const only = (what, usual) => ['--only <names>', `only these ${what}`, names, usual];

/** The measurements by name; each is the file of that name. */
export const commands = {
  peers: {
    about: 'Compare the gateway with its peers (the default).',
    options: [
      rounds(3),
      duration(8),
      warmup(3),
      ['--settle <number>', 'least requests of the warm-up before the first round', count, 2_000],
      only('peers, such as gateway,limit'),
      workload(),
    ],
  },
  smoke: {
    about: 'Try every workload on every peer for a second.',
    options: [only('peers, such as gateway,limit'), workload()],
  },
  growth: {
    about: 'Measure lists as their tables grow.',
    options: [
      ['--rows <numbers>', 'how many rows the tables have', counts, [10_000, 100_000, 1_000_000]],
      ['--events <numbers>', 'how many events there are; measures the event log instead of lists', counts],
      ['--months <number>', 'over how many months the events are spread', count, 24],
      ['--only <names>', 'only lists with one of these words in their names, such as range,search', names],
      duration(8),
      warmup(3),
    ],
  },
  reading: {
    about: 'Read made documents, and count which dates are found.',
    options: [
      ['--count <number>', 'how many documents of the set', count, 300],
      ['--every <number>', 'only every so many, for a sample', count, 1],
      ['--locale <name>', "the organization's locale, if not the language of each document", String],
      ['--ocr <way>', 'on, or command for the installed tesseract', String, 'on'],
    ],
  },
  live: {
    about: 'Measure what a live event costs each subscriber.',
    options: [
      ['--count <number>', 'how many subscribe', count, 200],
      duration(20, 'events are written and delivered'),
      warmup(5),
    ],
  },
  latency: {
    about: 'Measure times instead of CPU.',
    options: [
      rounds(3),
      duration(6),
      warmup(4),
      workload(['W1', 'W2', 'W3', 'W4', 'W5']),
      only('parts', ['peers', 'pages', 'workers']),
    ],
  },
  ablation: {
    about: 'Measure what each of our own parts gains.',
    options: [rounds(3), duration(4), warmup(4), only('parts, such as tree,batches'), workload()],
  },
  memory: {
    about: 'Measure memory under all workloads at once.',
    options: [['--minutes <number>', 'how long the load lasts', number, 10]],
  },
  move: {
    about: 'Measure how long an organization takes to move to another database.',
    options: [
      ['--items <number>', 'how many items it has', count, 50_000],
      ['--files <number>', 'how many files it has', count, 3_000],
      ['--kilobytes <number>', 'size of each file', count, 4],
      ['--outside', 'keep the files in a folder'],
    ],
  },
  import: {
    about: 'Measure the import of files.',
    options: [
      ['--workbook', 'send workbooks (.xlsx) in place of CSV files'],
      ['--rows <number>', 'how many rows each file has', count, 50_000],
      only('kinds of records', ['items']),
      ['--statements', 'count statements, which makes times longer'],
    ],
  },
  start: { about: 'Measure the time until the gateway is ready.', options: [rounds(5)] },
  profile: {
    about: "Show where the gateway's own time goes.",
    options: [
      workload(),
      duration(8),
      warmup(4),
      ['--count <number>', 'how many lines of code each table shows', count, 40],
    ],
  },
  garbage: {
    about: 'Measure garbage collection.',
    options: [workload(), duration(5), warmup(8)],
  },
  connections: {
    about: 'Hold all connections with slow heads.',
    options: [
      ['--count <number>', 'how many connections are opened', count, 10_000],
      only('kinds of heads', ['slow', 'silent']),
    ],
  },
  bulkscan: {
    about: 'Measure how fast uploads are received and filed.',
    options: [rounds(5), ['--count <number>', 'how many uploads each round sends', count, 4_000]],
  },
  overload: {
    about: 'Send more than the gateway can answer.',
    options: [
      duration(15, 'each load lasts'),
      ['--times <numbers>', 'by what the highest rate is multiplied', counts, [5, 10]],
      ['--nice <number>', 'priority of the load generator, as of nice(1)', number, 15],
      only('ways to connect', ['kept', 'burst', 'each']),
    ],
  },
  hostile: {
    about: 'Attack the gateway as one hostile caller.',
    options: [
      only('doors and attacks, such as rest,graphql,put,sse'),
      ['--rest <seconds>', 'how long memory is watched after each attack', number, 60],
    ],
  },
};

/** Creates a commander option; lists show their defaults as they are written. */
export function toOption([flags, description, parse, usual]) {
  const option = new Option(
    flags,
    usual === undefined && parse === names ? `${description} (default: all)` : description,
  );
  return option.argParser(parse).default(usual, Array.isArray(usual) ? usual.join(',') : undefined);
}
