// The one table of what a command's options and words run or write besides its ordinary work, for rules and guards alike. Commands
// that run the command they are given are in `shell/wrappers`, git is in `git-acting`.
import { names } from '../shell/flags.ts';
import { withoutGnuPrefix } from '../shell/wrappers.ts';

export type Acting = {
	/** Options that run a program, or read settings that do. */
	runs?: ReadonlySet<string>;
	/** Options that load code from a file, or let it work elsewhere: what runs then is as unseen as any script. */
	loads?: ReadonlySet<string>;
	/** Options whose value is a program in the interpreter's own language; or subcommands that take one. */
	code?: ReadonlySet<string>;
	/** Options whose value is a file or folder that is written. */
	writes?: ReadonlySet<string>;
	/** Options that write a file whose name is not their value. */
	makes?: ReadonlySet<string>;
	/** Other options with a value. */
	takes?: ReadonlySet<string>;
	/** Options that act only with a value like this. */
	valued?: ReadonlyMap<string, RegExp>;
	/** Subcommands that run code or change what is run later; `a_b` for a pair. */
	words?: ReadonlySet<string>;
	/** Words that act by how they look. */
	shape?: RegExp;
	/** Operands beyond these are written. */
	operands?: number;
	/** Long options have one dash (`go`), or as many as you like (`npm`). */
	dashes?: 'one' | 'any';
	/** Only other programs of the same name have these options: expansions are no reason to ask. */
	elsewhere?: true;
};

const GREP: Acting = {
	runs: names('--filter --pager --view --config --query -Q'),
	writes: names('--save-config'),
	elsewhere: true,
};
const NODE: Acting = {
	code: names('-e --eval -p --print -pe -i --interactive'),
	loads: names('-r --require --import --loader --experimental-loader --env-file --snapshot-blob'),
	writes: names('--redirect-warnings --cpu-prof-dir --heap-prof-dir --diagnostic-dir --report-dir --trace-event-file-pattern'),
	takes: names('-C --conditions'),
};
const PYTHON: Acting = { code: names('-c'), takes: names('-W -X'), valued: new Map([['-m', /^(?:timeit|pdb|code|idlelib)\b/]]) };
const VIM: Acting = {
	runs: names('-c --cmd -S -s -u -U -i --servername --remote --remote-send --remote-expr'),
	writes: names('-w -W --log'),
	shape: /^\+/,
};
const SSH_VALUES = new Map([['-o', /command|provider|pkcs|xauth|include|file|path|config/i]]);
const SSH: Acting = {
	runs: names('-F -I'),
	writes: names('-E -S'),
	takes: names('-i -p -l -J -b -c -L -R -D -W -m -B -e -Q -O -w'),
	valued: SSH_VALUES,
};
const SED: Acting = {
	runs: names('-f --file'),
	makes: names('-i --in-place'),
	takes: names('-e --expression -l --line-length'),
};
const AWK: Acting = {
	runs: names('-f --file -i --include -l --load -E --exec -e --source'),
	writes: names('-o --pretty-print -p --profile -d --dump-variables'),
	takes: names('-F --field-separator -v --assign'),
};

const GRADLE: Acting = {
	loads: names('-I --init-script -b --build-file -c --settings-file -p --project-dir --include-build'),
};

export const ACTING: ReadonlyMap<string, Acting> = new Map<string, Acting>([
	['grep', GREP],
	['egrep', GREP],
	['fgrep', GREP],
	['zgrep', GREP],
	['jq', { makes: names('-i --in-place'), elsewhere: true }],
	['yq', { runs: names('--enable-exec --from-file'), makes: names('-i --inplace -s --split-exp') }],
	['base64', { writes: names('-o --output'), elsewhere: true }],
	['rg', { runs: names('--pre --hostname-bin'), takes: names('-e --regexp -g --glob -t -T -A -B -C -m -d -M -j -r -f -E') }],
	['ag', { runs: names('--pager') }],
	['ack', { runs: names('--pager'), writes: names('--output'), shape: /^--output=.*[`$]/ }],
	[
		'sort',
		{
			runs: names('--compress-program'),
			writes: names('-o --output -T --temporary-directory'),
			takes: names('-k --key -t --field-separator -S --buffer-size'),
		},
	],
	['shuf', { writes: names('-o --output'), takes: names('-n --head-count -i --input-range') }],
	['uniq', { operands: 1, takes: names('-f -s -w --skip-fields --skip-chars --check-chars') }],
	['xxd', { operands: 1, takes: names('-l -len -s -seek -c -cols -g -groupsize -o -n -name'), dashes: 'one' }],
	['iconv', { writes: names('-o --output'), takes: names('-f -t --from-code --to-code') }],
	['tree', { writes: names('-o --output'), makes: names('-R'), takes: names('-L -P -I --filelimit') }],
	['file', { runs: names('-m --magic-file'), writes: names('-C --compile') }],
	['date', { runs: names('-s --set'), takes: names('-d --date -r --reference -f --file') }],
	['hostname', { runs: names('-F --file -b --boot') }],
	['split', { runs: names('--filter'), takes: names('-a -b -l -n -C --bytes --lines --number') }],
	['zip', { runs: names('-T -TT --unzip-command'), writes: names('-O --out --output-file --logfile-path') }],
	['unzip', { runs: names('-:') }],
	[
		'rsync',
		{ runs: names('-e --rsh --rsync-path --daemon -M --remote-option --config'), writes: names('--log-file --write-batch') },
	],
	['setfacl', { runs: names('--restore') }],
	[
		'tar',
		{
			runs: names(
				'--checkpoint-action --to-command -I --use-compress-program --rmt-command --rsh-command --info-script --new-volume-script -F --remove-files',
			),
			writes: names('--index-file --volno-file'),
			takes: names('-f --file -C --directory -T -X -b -g -V -H -L -K -N'),
		},
	],
	[
		'curl',
		{
			runs: names('-K --config --engine'),
			writes: names(
				'-o --output --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --hsts --alt-svc --etag-save --libcurl',
			),
			makes: names('-O --remote-name --remote-name-all'),
			takes: names(
				'-H -d -X -A -b -e -u -m -F -x -T -r -E -Y -y -z -C -P -Q -t --data --header --request --data-raw --data-binary --url',
			),
			valued: new Map([
				['-w', /^@|%output\{/],
				['--write-out', /^@|%output\{/],
			]),
		},
	],
	[
		'wget',
		{
			runs: names('-e --execute --use-askpass --config'),
			writes: names(
				'-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies --warc-file --rejected-log --hsts-file',
			),
			takes: names('-T -t -U --header --post-data --user --password --timeout --tries'),
		},
	],
	[
		'make',
		{
			runs: names('-E --eval'),
			takes: names('-C --directory -o -W -I'),
			valued: new Map([
				['-f', /^(?:-$|\/dev|\/proc)/],
				['--file', /^(?:-$|\/dev|\/proc)/],
				['--makefile', /^(?:-$|\/dev|\/proc)/],
			]),
			shape: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|MAKE)\s*[:+?!]*=|^[^-][^=]*=.*[$`;|&<>(]/,
		},
	],
	['cmake', { runs: names('-P -E'), valued: new Map([['-D', /_(?:LAUNCHER|PROGRAM|COMMAND|COMPILER)\b/]]) }],
	[
		'npm',
		{
			runs: names('--script-shell --node-options --shell --git --editor --viewer --browser --node-gyp --python'),
			loads: names('--prefix -C --globalconfig --userconfig --init-module --registry'),
			writes: names('--cache --logs-dir --pack-destination'),
			words: names('exec x explore edit create innit set set-script config_set config_edit c_set c_edit pkg_set pkg_fix'),
			dashes: 'any',
		},
	],
	[
		'pnpm',
		{
			runs: names('--script-shell --shell-emulator --config --node-options --use-node-version'),
			words: names('exec dlx create config_set'),
		},
	],
	['yarn', { runs: names('--script-shell --use-yarnrc --node-options'), words: names('exec dlx create config_set') }],
	[
		'bun',
		{
			code: names('-e --eval -p --print'),
			loads: names('-r --preload --import --require --config -c'),
			words: names('x exec create repl'),
		},
	],
	['deno', { code: names('eval repl'), loads: names('--import-map --config -c --preload'), words: names('eval repl') }],
	[
		'pip',
		{
			runs: names('--global-option --build-option --config-settings --python'),
			writes: names('--log -t --target --prefix --root'),
		},
	],
	['cargo', { runs: names('--config -Z'), shape: /^\+/ }],
	[
		'go',
		{
			runs: names('-toolexec -exec -vettool -overlay -modfile'),
			valued: new Map([
				['-ldflags', /-extld|-linkmode|-extldflags/],
				['-gccgoflags', /./],
				['-gcflags', /-embedcfg/],
			]),
			words: names('env_-w'),
			dashes: 'one',
		},
	],
	['gradle', GRADLE],
	['gradlew', GRADLE],
	['mvn', { loads: names('-f --file -s --settings -gs --global-settings -t --toolchains'), shape: /exec[:-]/ }],
	['gcc', { runs: names('-wrapper -fplugin -specs --specs -B'), dashes: 'one' }],
	['man', { runs: names('-P --pager -H --html -C --config-file -X --gxditview -p --preprocessor') }],
	[
		'less',
		{
			runs: names('-k --lesskey-file --lesskey-src --lesskey-content'),
			writes: names('-o -O --log-file --LOG-FILE'),
			shape: /^\+/,
		},
	],
	['more', { shape: /^\+!/ }],
	['journalctl', { writes: names('--cursor-file') }],
	['vim', VIM],
	['vi', VIM],
	['nvim', { ...VIM, runs: new Set([...(VIM.runs ?? []), '-l', '--listen']) }],
	['view', VIM],
	['ex', VIM],
	['emacs', { runs: names('-l --load --eval -eval -f --funcall --batch --script -x') }],
	['ssh', SSH],
	['scp', { ...SSH, runs: names('-F -S'), writes: names(), valued: SSH_VALUES }],
	['sftp', { ...SSH, runs: names('-F -S -b -D'), writes: names() }],
	[
		'docker',
		{
			loads: names(
				'-v --volume --mount --privileged --device --cap-add --security-opt --pid --userns --volumes-from --ipc --uts --cgroupns -H --host --config',
			),
			takes: names('-e --env -p --publish -w --workdir -u --user'),
		},
	],
	['kubectl', { loads: names('--kubeconfig --as') }],
	['gh', { words: names('alias_set alias_import extension_install extension_exec ext_exec ext_install') }],
	[
		'gpg',
		{
			runs: names('--exec-path --photo-viewer --agent-program --dirmngr-program --options'),
			writes: names('-o --output --homedir --log-file'),
		},
	],
	['openssl', { writes: names('-out -writerand -keyout'), runs: names('-engine -provider -provider-path'), dashes: 'one' }],
	['sqlite3', { runs: names('-cmd -init'), shape: /^\.|writefile|load_extension|\battach\b|\bedit\s*\(/i, dashes: 'one' }],
	[
		'psql',
		{
			runs: names('-f --file'),
			writes: names('-o --output -L --log-file'),
			valued: new Map([
				['-c', /\\|\bprogram\b/i],
				['--command', /\\|\bprogram\b/i],
				['-v', /\\/],
			]),
		},
	],
	['tcpdump', { runs: names('-z'), writes: names('-w') }],
	[
		'pytest',
		{
			loads: names('-p -c --config-file'),
			writes: names('--basetemp --junitxml --junit-xml --log-file --debug --pastebin'),
			valued: new Map([['-o', /addopts|python_files|pythonpath/]]),
		},
	],
	['sed', SED],
	['gsed', SED],
	['awk', AWK],
	['gawk', AWK],
	['mawk', AWK],
	['node', NODE],
	['nodejs', NODE],
	['ts-node', NODE],
	['tsx', NODE],
	['python', PYTHON],
	['pypy', PYTHON],
	['ruby', { code: names('-e'), loads: names('-r -S'), makes: names('-i'), takes: names('-I -C') }],
	['perl', { code: names('-e -E'), loads: names('-M -m -d'), makes: names('-i'), takes: names('-I') }],
	['php', { code: names('-r -B -R -E'), runs: names('-d'), takes: names('-c') }],
	['lua', { code: names('-e'), runs: names('-l') }],
	['Rscript', { code: names('-e') }],
	['osascript', { code: names('-e') }],
]);

/** Programs that read commands, some of them to be run, from their input or from any of their words. */
export const READS_COMMANDS = names(
	'm4 dc ed ex tclsh wish expect gdb lldb at batch crontab gnuplot octave ghci irb iex jshell emacs csh tcsh fish',
);

export function actingRule(base: string): Acting | undefined {
	const plain = withoutGnuPrefix(base);
	return ACTING.get(plain) ?? ACTING.get(plain.replace(/-?[\d.]+$/, ''));
}

/** What the guards' own tables take from this one. */
export function optionsThat(
	kinds: readonly ('code' | 'runs' | 'loads' | 'writes' | 'makes')[],
	base: string,
): ReadonlySet<string> {
	return new Set(kinds.flatMap((kind) => [...(ACTING.get(base)?.[kind] ?? [])]));
}

/** The programs that take code from the line, with the options that hold it. */
export const INTERPRETERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	[...ACTING].flatMap(([name, { code }]) => (code === undefined ? [] : [[name, code] as const])),
);
