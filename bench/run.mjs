// npm run bench -- <command> [options]; see README.md
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { build } from '../scripts/build.mjs';
import { installPackages } from '../scripts/packages.mjs';
import { commands, toOption } from './lib/commands.mjs';
import { Failure } from './lib/failure.mjs';

/** Measures; what is wrong with the command line has been found before anything is built. */
async function measure(name, options) {
  if (process.platform !== 'linux') throw new Failure('The benchmark runs on Linux only: it reads /proc.');
  await build();
  await installPackages(fileURLToPath(new URL('.', import.meta.url)), () =>
    console.error("Installing the benchmark's packages."),
  );
  const { run } = await import(`./${name}.mjs`);
  await run(options);
}

/** Lists the options of each command, for the help of all. */
function optionsByCommand() {
  const lines = Object.entries(commands).map(([name, { options }]) => {
    const flags = options.map(([flag]) => flag.split(' ')[0]);
    return `  ${name.padEnd(12)} ${flags.join(' ')}`;
  });
  return lines.join('\n');
}

const program = new Command('npm run bench --')
  .usage('[command] [options]')
  .description(
    'Measures what the requests of the gateway cost. bench/README.md describes the workloads and tables.',
  )
  .helpCommand(false)
  .helpOption('-h, --help', 'explain the command and its options')
  .configureHelp({ subcommandTerm: (command) => command.name() })
  .showHelpAfterError('(npm run bench -- --help lists the commands)')
  .exitOverride();
for (const [name, { about, options }] of Object.entries(commands)) {
  const command = program
    .command(name)
    .helpOption('-h, --help', 'explain this command')
    .description(about)
    .showHelpAfterError(`(npm run bench -- ${name} --help lists the options)`)
    .allowExcessArguments(false)
    .action((values) => measure(name, values));
  for (const option of options) command.addOption(toOption(option));
}
program.addHelpText(
  'after',
  `
Options by command (npm run bench -- latency --help explains those of latency):
${optionsByCommand()}

Environment:
  GATEWAY_MAIN    the dist/main.js of another checkout, to be measured in place of this one's
  GATEWAY_BEFORE  the same, measured beside this one's by peers, as gateway-before
`,
);

const argv = process.argv.slice(2);
const isNamed = /^[^-]|^(-h|--help)$/.test(argv[0] ?? '');
try {
  await program.parseAsync(isNamed ? argv : ['peers', ...argv], { from: 'user' });
} catch (error) {
  // Commander has said what is wrong, or what was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof Failure) {
    console.error(error.message);
    process.exitCode = error.exitCode;
  } else throw error;
}
