import type { Command, Option } from 'commander';

/** The shells with completion. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** One possible continuation of a command line. */
interface CompletionCandidate {
  readonly word: string;
  readonly description: string;
}

/** Possible words, or the names of files, which the shell knows. */
type Completion = readonly CompletionCandidate[] | 'files';

/** Position in the command tree after the words of a command line. */
interface Position {
  readonly command: Command;
  /** Number of the command's arguments so far. */
  readonly operands: number;
  readonly given: ReadonlySet<Option>;
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
  /** True after `--`: no later word is an option. */
  readonly optionsEnded: boolean;
}

/**
 * Completes the last word of a command line.
 * @param program its commands, options, arguments and choices; descriptions come from the help
 * @param words the words after the program's name; bash splits `--role=admin` into three
 */
export function complete(program: Command, words: readonly string[]): Completion {
  if (words[0] === 'help' && words.length > 1) return complete(program, words.slice(1));
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const joined = last === '=' ? before : before.at(-1) === '=' ? before.slice(0, -1) : undefined;
  if (joined) {
    const option = findOption(walk(program, joined.slice(0, -1)), joined.at(-1) ?? '');
    return completeValues(option, last === '=' ? '' : last);
  }
  const position = walk(program, before);
  const [, flag, value] = /^(--[^=]+=)(.*)$/s.exec(last) ?? [];
  if (flag !== undefined && value !== undefined) {
    const found = completeValues(findOption(position, flag.slice(0, -1)), value);
    return found === 'files' ? found : found.map((each) => ({ ...each, word: flag + each.word }));
  }
  return next(position, last);
}

function next(position: Position, last: string): Completion {
  const { command, operands, pending, optionsEnded } = position;
  const isOption = last.startsWith('-') && last !== '-' && !optionsEnded;
  if (pending && (pending.required || !isOption)) return completeValues(pending, last);
  if (isOption) return completeOptions(position, last);
  const argument =
    command.registeredArguments[operands] ?? command.registeredArguments.findLast((each) => each.variadic);
  const subcommands = command.createHelp().visibleCommands(command);
  if (command.commands.length > 0 && operands === 0) {
    return startingWith(
      last,
      subcommands.map((each) => ({ word: each.name(), description: each.description() })),
    );
  }
  if (argument) return completeValues(argument, last);
  return optionsEnded ? [] : completeOptions(position, last);
}

/** Follows the words before the last one. */
function walk(program: Command, words: readonly string[]): Position {
  let position: Position = {
    command: program,
    operands: 0,
    given: new Set(),
    pending: undefined,
    optionsEnded: false,
  };
  for (const word of words) position = step(position, word);
  return position;
}

function step(position: Position, word: string): Position {
  const { command, operands, given, pending, optionsEnded } = position;
  const isOption = word.startsWith('-') && word !== '-' && !optionsEnded;
  if (pending && (pending.required || !isOption)) return { ...position, pending: undefined };
  if (isOption) {
    if (word === '--') return { ...position, pending: undefined, optionsEnded: true };
    const option = findOption(position, word.replace(/=.*/s, ''));
    const takesNext = option && (option.required || option.optional) && !word.includes('=');
    return {
      ...position,
      given: option ? new Set([...given, option]) : given,
      pending: takesNext ? option : undefined,
    };
  }
  const sub = operands === 0 ? command.commands.find((each) => each.name() === word) : undefined;
  return sub ? { ...position, command: sub } : { ...position, operands: operands + 1 };
}

/** Lists the options of a command, including the program's own. */
function allOptions(command: Command): Option[] {
  const helper = command.createHelp();
  return [...helper.visibleOptions(command), ...helper.visibleGlobalOptions(command)];
}

const findOption = ({ command }: Position, flag: string) =>
  allOptions(command).find((each) => flag === each.long || flag === each.short);

function completeOptions({ command, given }: Position, start: string): CompletionCandidate[] {
  const free = allOptions(command).filter((option) => !given.has(option));
  return startingWith(
    start,
    free.map(({ long, short, description }) => ({ word: long ?? short ?? '', description })),
  );
}

/**
 * Lists the values of an option or argument: its choices, or files. Its name tells whether it takes a file.
 */
function completeValues(
  value: Option | Command['registeredArguments'][number] | undefined,
  start: string,
): Completion {
  if (!value) return [];
  if (value.argChoices) {
    return startingWith(
      start,
      value.argChoices.map((word) => ({ word, description: '' })),
    );
  }
  const name = 'flags' in value ? value.flags : value.name();
  return /\bfile\b/.test(name) ? 'files' : [];
}

const startingWith = (start: string, candidates: CompletionCandidate[]) =>
  candidates.filter(({ word }) => word.startsWith(start));

/** Formats an answer to the shell. It has lines of a word, a tab and a description; or is `:files`. */
export function formatCompletion(completion: Completion): string {
  if (completion === 'files') return ':files\n';
  return completion.map(({ word, description }) => `${word}\t${description}\n`).join('');
}

/**
 * Returns the completion script of a shell. It asks the program itself, so that it stays correct after an
 * upgrade.
 * @param name of the program
 */
export function scriptFor(shell: (typeof shells)[number], name: string): string {
  return scripts[shell](name, `_${name.replaceAll('-', '_')}`);
}

const scripts: Record<(typeof shells)[number], (name: string, own: string) => string> = {
  // Bash treats `=` as a word of its own. Bash 3.2, on macOS, has no compopt.
  bash: (name, own) => `# ${name} completion for bash: eval "$(${name} completion bash)"
${own}() {
  local IFS=$'\\n' line
  COMPREPLY=()
  while read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$2"))
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${1/#\\~/$HOME}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F ${own} ${name}`,
  zsh: (name, own) => `#compdef ${name}
# ${name} completion for zsh, after compinit: eval "$(${name} completion zsh)"
${own}() {
  local -a lines words_found
  local line
  lines=("\${(@f)$("\${(Q)words[1]/#\\~/$HOME}" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then
    _files
    return
  fi
  for line in $lines; do
    words_found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe '${name}' words_found
}
if [[ $funcstack[1] == ${own} ]]; then
  ${own} "$@"
else
  compdef ${own} ${name}
fi`,
  fish: (name, own) => `# ${name} completion for fish: ${name} completion fish | source
function _${own}
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -l lines ($program __complete -- $words[2..-1] 2>/dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $lines
    end
end
complete -c ${name} -f -a '(_${own})'`,
};
