// Options and words with which a command runs or writes something besides its ordinary work, for rules and guards alike. Commands
// that run the command they are given are in `shell/wrappers`, git is in `git-acting`.
import { names, readTable } from '../shell/flags.ts';
import { withoutGnuPrefix } from '../shell/wrappers.ts';

/** Lists are names separated by blanks. */
type Row = {
	/** Options that run a program, or read settings that do. */
	runs?: string;
	/** Options that load code from a file, or change the working directory: such code is as unknown as any script. */
	loads?: string;
	/** Options whose value is a program in the interpreter's own language; or subcommands that take one. */
	code?: string;
	/** Options whose value is a file or folder that is written. */
	writes?: string;
	/** Options that write a file whose name is not their value. */
	makes?: string;
	/** Other options with a value. */
	takes?: string;
	/** Options that act only with a value like this. */
	valued?: Record<string, RegExp>;
	/** Subcommands that run code or change later commands; `a_b` for a pair. */
	words?: string;
	/** Words that act by how they look. */
	shape?: RegExp;
	/** Operands beyond these are written. */
	operands?: number;
	/** Long options have one dash (`go`), or any number of them (`npm`). */
	dashes?: 'one' | 'any';
	/** Only other programs of the same name have these options, so expansions are no reason to ask. */
	elsewhere?: true;
};

const VIM = {
	runs: '-c --cmd -S -s -u -U -i --servername --remote --remote-send --remote-expr',
	writes: '-w -W --log',
	shape: /^\+/,
};
const SSH = {
	runs: '-F -I',
	writes: '-E -S',
	takes: '-i -p -l -J -b -c -L -R -D -W -m -B -e -Q -O -w',
	valued: { '-o': /command|provider|pkcs|xauth|include|file|path|config/i },
};

const ROWS: Record<string, Row> = {
	'grep egrep fgrep zgrep': { runs: '--filter --pager --view --config --query -Q', writes: '--save-config', elsewhere: true },
	jq: { makes: '-i --in-place', elsewhere: true },
	yq: { runs: '--enable-exec --from-file', makes: '-i --inplace -s --split-exp' },
	base64: { writes: '-o --output', elsewhere: true },
	rg: { runs: '--pre --hostname-bin', takes: '-e --regexp -g --glob -t -T -A -B -C -m -d -M -j -r -f -E' },
	ag: { runs: '--pager' },
	ack: { runs: '--pager', writes: '--output', shape: /^--output=.*[`$]/ },
	sort: {
		runs: '--compress-program',
		writes: '-o --output -T --temporary-directory',
		takes: '-k --key -t --field-separator -S --buffer-size',
	},
	shuf: { writes: '-o --output', takes: '-n --head-count -i --input-range' },
	uniq: { operands: 1, takes: '-f -s -w --skip-fields --skip-chars --check-chars' },
	xxd: { operands: 1, takes: '-l -len -s -seek -c -cols -g -groupsize -o -n -name', dashes: 'one' },
	iconv: { writes: '-o --output', takes: '-f -t --from-code --to-code' },
	tree: { writes: '-o --output', makes: '-R', takes: '-L -P -I --filelimit' },
	file: { runs: '-m --magic-file', writes: '-C --compile' },
	date: { runs: '-s --set', takes: '-d --date -r --reference -f --file' },
	hostname: { runs: '-F --file -b --boot' },
	split: { runs: '--filter', takes: '-a -b -l -n -C --bytes --lines --number' },
	zip: { runs: '-T -TT --unzip-command', writes: '-O --out --output-file --logfile-path' },
	unzip: { runs: '-:' },
	rsync: { runs: '-e --rsh --rsync-path --daemon -M --remote-option --config', writes: '--log-file --write-batch' },
	setfacl: { runs: '--restore' },
	tar: {
		runs: '--checkpoint-action --to-command -I --use-compress-program --rmt-command --rsh-command --info-script --new-volume-script -F --remove-files',
		writes: '--index-file --volno-file',
		takes: '-f --file -C --directory -T -X -b -g -V -H -L -K -N',
	},
	curl: {
		runs: '-K --config --engine',
		writes:
			'-o --output --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --hsts --alt-svc --etag-save --libcurl',
		makes: '-O --remote-name --remote-name-all',
		takes: '-H -d -X -A -b -e -u -m -F -x -T -r -E -Y -y -z -C -P -Q -t --data --header --request --data-raw --data-binary --url',
		valued: { '-w --write-out': /^@|%output\{/ },
	},
	wget: {
		runs: '-e --execute --use-askpass --config',
		writes:
			'-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies --warc-file --rejected-log --hsts-file',
		takes: '-T -t -U --header --post-data --user --password --timeout --tries',
	},
	make: {
		runs: '-E --eval',
		takes: '-C --directory -o -W -I',
		valued: { '-f --file --makefile': /^(?:-$|\/dev|\/proc)/ },
		shape: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|MAKE)\s*[:+?!]*=|^[^-][^=]*=.*[$`;|&<>(]/,
	},
	cmake: { runs: '-P -E', valued: { '-D': /_(?:LAUNCHER|PROGRAM|COMMAND|COMPILER)\b/ } },
	npm: {
		runs: '--script-shell --node-options --shell --git --editor --viewer --browser --node-gyp --python',
		loads: '--prefix -C --globalconfig --userconfig --init-module --registry',
		writes: '--cache --logs-dir --pack-destination',
		words: 'exec x explore edit create innit set set-script config_set config_edit c_set c_edit pkg_set pkg_fix',
		dashes: 'any',
	},
	pnpm: {
		runs: '--script-shell --shell-emulator --config --node-options --use-node-version',
		words: 'exec dlx create config_set',
	},
	yarn: { runs: '--script-shell --use-yarnrc --node-options', words: 'exec dlx create config_set' },
	bun: { code: '-e --eval -p --print', loads: '-r --preload --import --require --config -c', words: 'x exec create repl' },
	deno: { code: 'eval repl', loads: '--import-map --config -c --preload', words: 'eval repl' },
	pip: { runs: '--global-option --build-option --config-settings --python', writes: '--log -t --target --prefix --root' },
	cargo: { runs: '--config -Z', shape: /^\+/ },
	go: {
		runs: '-toolexec -exec -vettool -overlay -modfile',
		valued: { '-ldflags': /-extld|-linkmode|-extldflags/, '-gccgoflags': /./, '-gcflags': /-embedcfg/ },
		words: 'env_-w',
		dashes: 'one',
	},
	'gradle gradlew': { loads: '-I --init-script -b --build-file -c --settings-file -p --project-dir --include-build' },
	mvn: { loads: '-f --file -s --settings -gs --global-settings -t --toolchains', shape: /exec[:-]/ },
	gcc: { runs: '-wrapper -fplugin -specs --specs -B', dashes: 'one' },
	man: { runs: '-P --pager -H --html -C --config-file -X --gxditview -p --preprocessor' },
	less: { runs: '-k --lesskey-file --lesskey-src --lesskey-content', writes: '-o -O --log-file --LOG-FILE', shape: /^\+/ },
	more: { shape: /^\+!/ },
	journalctl: { writes: '--cursor-file' },
	'vim vi view ex': VIM,
	nvim: { ...VIM, runs: `${VIM.runs} -l --listen` },
	emacs: { runs: '-l --load --eval -eval -f --funcall --batch --script -x' },
	ssh: SSH,
	scp: { ...SSH, runs: '-F -S', writes: '' },
	sftp: { ...SSH, runs: '-F -S -b -D', writes: '' },
	docker: {
		loads:
			'-v --volume --mount --privileged --device --cap-add --security-opt --pid --userns --volumes-from --ipc --uts --cgroupns -H --host --config',
		takes: '-e --env -p --publish -w --workdir -u --user',
	},
	kubectl: { loads: '--kubeconfig --as' },
	gh: { words: 'alias_set alias_import extension_install extension_exec ext_exec ext_install' },
	gpg: {
		runs: '--exec-path --photo-viewer --agent-program --dirmngr-program --options',
		writes: '-o --output --homedir --log-file',
	},
	openssl: { writes: '-out -writerand -keyout', runs: '-engine -provider -provider-path', dashes: 'one' },
	sqlite3: { runs: '-cmd -init', shape: /^\.|writefile|load_extension|\battach\b|\bedit\s*\(/i, dashes: 'one' },
	psql: { runs: '-f --file', writes: '-o --output -L --log-file', valued: { '-c --command': /\\|\bprogram\b/i, '-v': /\\/ } },
	tcpdump: { runs: '-z', writes: '-w' },
	pytest: {
		loads: '-p -c --config-file',
		writes: '--basetemp --junitxml --junit-xml --log-file --debug --pastebin',
		valued: { '-o': /addopts|python_files|pythonpath/ },
	},
	'sed gsed': { runs: '-f --file', makes: '-i --in-place', takes: '-e --expression -l --line-length' },
	'awk gawk mawk': {
		runs: '-f --file -i --include -l --load -E --exec -e --source',
		writes: '-o --pretty-print -p --profile -d --dump-variables',
		takes: '-F --field-separator -v --assign',
	},
	'node nodejs ts-node tsx': {
		code: '-e --eval -p --print -pe -i --interactive',
		loads: '-r --require --import --loader --experimental-loader --env-file --snapshot-blob',
		writes: '--redirect-warnings --cpu-prof-dir --heap-prof-dir --diagnostic-dir --report-dir --trace-event-file-pattern',
		takes: '-C --conditions',
	},
	'python pypy': { code: '-c', takes: '-W -X', valued: { '-m': /^(?:timeit|pdb|code|idlelib)\b/ } },
	ruby: { code: '-e', loads: '-r -S', makes: '-i', takes: '-I -C' },
	perl: { code: '-e -E', loads: '-M -m -d', makes: '-i', takes: '-I' },
	php: { code: '-r -B -R -E', runs: '-d', takes: '-c' },
	lua: { code: '-e', runs: '-l' },
	Rscript: { code: '-e' },
	osascript: { code: '-e' },
};

const LISTS = ['runs', 'loads', 'code', 'writes', 'makes', 'takes', 'words'] as const;
type List = (typeof LISTS)[number];
export type Acting = Omit<Row, List | 'valued'> & { [L in List]?: ReadonlySet<string> } & { valued: ReadonlyMap<string, RegExp> };

export const ACTING: ReadonlyMap<string, Acting> = new Map(
	[...readTable(ROWS, LISTS)].map(([name, { valued = {}, ...rule }]) => {
		const shapes = Object.entries(valued).flatMap(([options, shape]) =>
			[...names(options)].map((option) => [option, shape] as const),
		);
		return [name, { ...rule, valued: new Map(shapes) }];
	}),
);

/** Programs that read commands, some of them to be run, from their input or from any of their words. */
export const READS_COMMANDS = names(
	'm4 dc ed ex tclsh wish expect gdb lldb at batch crontab gnuplot octave ghci irb iex jshell emacs csh tcsh fish',
);

export function actingRule(base: string): Acting | undefined {
	const plain = withoutGnuPrefix(base);
	return ACTING.get(plain) ?? ACTING.get(plain.replace(/-?[\d.]+$/, ''));
}

/** A list for the guards' own tables. */
export function optionsThat(kinds: readonly ('code' | 'runs' | 'loads' | 'writes' | 'makes')[], base: string): string {
	return kinds.flatMap((kind) => [...(ACTING.get(base)?.[kind] ?? [])]).join(' ');
}

/** The programs that take code from the line, with the options that hold it. */
export const INTERPRETERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	[...ACTING].flatMap(([name, { code }]) => (code === undefined ? [] : [[name, code] as const])),
);
