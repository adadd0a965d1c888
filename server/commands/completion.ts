// The command `varve completion bash|zsh|fish`: prints a script that completes commands, flags and their values. It is made
// from the tables of commands and settings, and holds all it knows: nothing is started at a press of Tab.

import { ExitCode } from '../exit-codes.ts';
import { nearestNameHint } from '../settings/nearest-name.ts';
import { UsageError } from '../settings/read-settings.ts';
import { SETTING_NAMES, SETTINGS } from '../settings/settings.ts';
import { COMMANDS, type Command, SHELLS } from './commands.ts';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], () => string>> = {
  bash: bashScript,
  // zsh runs functions of bash, once it is told to.
  zsh: () => `#compdef varve\nautoload -U +X bashcompinit && bashcompinit\n${bashScript()}`,
  fish: fishScript,
};

/** Throws a `UsageError` for anything but the name of one shell. */
export function runCompletionCommand(words: readonly string[]): ExitCode {
  const shell = SHELLS.find((name) => name === words[0]);
  if (shell === undefined || words.length > 1) {
    const got = words.length === 0 ? '' : `; got '${words.join(' ')}'.${nearestNameHint(words[0] ?? '', SHELLS)}`;
    throw new UsageError(`Want varve completion ${SHELLS.join('|')}${got}`);
  }
  process.stdout.write(SCRIPTS[shell]());
  return ExitCode.Ok;
}

/** What may follow a flag: a folder, a file, one of some words, or something that only the user knows. */
type FlagValue = 'folder' | 'file' | 'unknown' | readonly string[];

interface Flag {
  readonly name: string;
  readonly summary: string;
  /** Undefined for a switch. */
  readonly value: FlagValue | undefined;
}

const FLAGS: readonly Flag[] = SETTING_NAMES.map((name) => ({
  name,
  summary: SETTINGS[name].summary,
  value: valueBehind(SETTINGS[name].kind.placeholder),
}));

function valueBehind(placeholder: string): FlagValue | undefined {
  if (placeholder === '') return undefined;
  if (placeholder === '<folder>') return 'folder';
  if (placeholder === '<file>') return 'file';
  return placeholder.startsWith('<') ? 'unknown' : placeholder.split('|');
}

function bashScript(): string {
  const values = FLAGS.filter(({ value }) => value !== undefined).map(
    ({ name, value }) => `    --${name}) ${bashReply(value as FlagValue)} return ;;`,
  );
  const parts = COMMANDS.filter((command) => command.parts.length > 0);
  const flags = FLAGS.map(({ name }) => `--${name}`).join(' ');
  return `# Completion of varve for bash; made by \`varve completion\`.
_varve() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then ${bashReply(COMMANDS.map(({ name }) => name))} return; fi
  case "$before" in
${values.join('\n')}
${parts.map((command) => `    ${command.name}) ${bashReply(command.parts)} return ;;`).join('\n')}
  esac
  case "$command" in
    ${namesOf((command) => command.takesSettings).join('|')}) ${bashReply(flags.split(' '))} ;;
    check|backup|restore) ${bashReply('folder')} ;;
    import|export|simulate) ${bashReply('file')} ;;
  esac
}
complete -F _varve varve
`;
}

function bashReply(value: FlagValue): string {
  if (value === 'unknown') return '';
  if (typeof value !== 'string') return `COMPREPLY=($(compgen -W '${value.join(' ')}' -- "$word"));`;
  // zsh marks paths by itself, and has no such command.
  const marking = 'compopt -o filenames 2>/dev/null;';
  return `${marking} COMPREPLY=($(compgen ${value === 'folder' ? '-d' : '-f'} -- "$word"));`;
}

function namesOf(isMeant: (command: Command) => boolean): string[] {
  return COMMANDS.filter(isMeant).map(({ name }) => name);
}

function fishScript(): string {
  const withSettings = namesOf((command) => command.takesSettings).join(' ');
  return `# Completion of varve for fish; made by \`varve completion\`.
complete -c varve -f
${COMMANDS.map(({ name, forms }) => fishLine('__fish_use_subcommand', `-a ${name}`, forms[0]?.[1] ?? '')).join('\n')}
${COMMANDS.flatMap(({ name, parts }) =>
  parts.map((part) => fishLine(`__fish_seen_subcommand_from ${name}`, `-a ${part}`, `varve ${name} ${part}`)),
).join('\n')}
${FLAGS.map(({ name, summary, value }) =>
  fishLine(`__fish_seen_subcommand_from ${withSettings}`, `-l ${name} ${fishValue(value)}`.trim(), summary),
).join('\n')}
${fishLine('__fish_seen_subcommand_from check backup restore', "-a '(__fish_complete_directories)'", 'folder')}
${fishLine('__fish_seen_subcommand_from import export simulate', '-F', 'file')}
`;
}

function fishLine(condition: string, what: string, summary: string): string {
  return `complete -c varve -n '${condition}' ${what} -d '${summary.replaceAll("'", "\\'")}'`;
}

function fishValue(value: FlagValue | undefined): string {
  if (value === undefined) return '';
  if (value === 'unknown') return '-x';
  if (value === 'file') return '-r -F';
  return value === 'folder' ? "-x -a '(__fish_complete_directories)'" : `-x -a '${value.join(' ')}'`;
}
