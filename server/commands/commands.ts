// The commands of the program in one table, which serves `varve help`, the hint after a wrong command, and completion.

export interface Command {
  /** Its first word. */
  readonly name: string;
  /** What may follow as the second word; empty when that is free. */
  readonly parts: readonly string[];
  /** Whether it takes the flags of `serve`. */
  readonly takesSettings: boolean;
  /** How it is written, and what it does: lines of the help. */
  readonly forms: readonly (readonly [form: string, summary: string])[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const COMMANDS: readonly Command[] = [
  command('serve', [['[flags]', 'Run the server (the default).']], { takesSettings: true }),
  command('check', [['<folder>', 'Check a data folder that no server is using; prints what it finds.']]),
  command('backup', [['<data> <to>', 'Copy a data folder, also while the server runs; again, only what has grown.']]),
  command('restore', [['<from> <data>', 'Put datasets of a backup into a data folder; see docs/operations.md.']]),
  command(
    'replicate',
    [['[flags]', 'Copy what is in a data folder to --centre once, without serving; see docs/scale-out.md.']],
    {
      takesSettings: true,
    },
  ),
  command('import', [
    ['<file>... --dataset <name>', 'Send CSV files to a server, checked before; see docs/import.md.'],
  ]),
  command('export', [
    [
      '--dataset <name> [flags]',
      'Write points of a dataset to a file: CSV, JSON lines, Parquet; see docs/take-it-out.md.',
    ],
  ]),
  command('collect', [['<opcua.json>', 'Bring values of OPC UA servers to a server; see docs/opcua.md.']]),
  command(
    'token',
    [
      [
        'create',
        'Make a token, and print it: --role read|write|admin; with --client <id> a client; see docs/security.md.',
      ],
      ['list', 'List the tokens and clients.'],
      ['revoke <id>', 'Make a token invalid, or a client with all its tokens.'],
    ],
    { parts: ['create', 'list', 'revoke'], takesSettings: true },
  ),
  command('doctor', [['[flags]', 'Look at everything that a start depends on; say what to do.']], {
    takesSettings: true,
  }),
  command('config', [['print [flags]', 'Print the settings that a start would have, and where each comes from.']], {
    parts: ['print'],
    takesSettings: true,
  }),
  command('simulate', [['[flags]', 'Run the simulator against a server; varve simulate --help lists its flags.']]),
  command('completion', [[SHELLS.join('|'), 'Print what completes this command in a shell; see docs/install.md.']], {
    parts: SHELLS,
  }),
  command('help', [['', 'Print this text.']]),
  command('version', [['', 'Print the version.']]),
];

export const COMMAND_NAMES: readonly string[] = COMMANDS.map(({ name }) => name);

function command(
  name: string,
  forms: Command['forms'],
  { parts = [], takesSettings = false }: Partial<Pick<Command, 'parts' | 'takesSettings'>> = {},
): Command {
  return { name, parts, takesSettings, forms };
}
