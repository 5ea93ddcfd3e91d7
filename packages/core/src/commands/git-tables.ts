// The options of git's commands, as far as where they write depends on them. What leads elsewhere or loses work is left out on purpose.
import { names } from '../shell/flags.ts';
import type { OptionTable, ValuedLetters } from './git-options.ts';

function table(plain: readonly string[], takes = '', joined = ''): OptionTable {
	return { plain: names(plain.join(' ')), takes: names(takes), joined: names(joined) };
}

const TRANSFER = [
	'-v --verbose -q --quiet --progress --no-progress --recurse-submodules --no-recurse-submodules --all -a --append -t --tags',
	'--no-tags -p --prune --no-prune --dry-run -k --keep --unshallow -4 --ipv4 -6 --ipv6 --show-forced-updates --no-show-forced-updates',
];

const SWITCHING = [
	'-q --quiet --progress --no-progress -m --merge -t --track --no-track --guess --no-guess --recurse-submodules --no-recurse-submodules',
	'--overwrite-ignore --no-overwrite-ignore',
];

const APPLYING = ['-3 --3way --no-3way -q --quiet --ignore-space-change --ignore-whitespace --reject --no-reject --allow-empty'];

export const OPTION_TABLES: ReadonlyMap<string, OptionTable> = new Map<string, OptionTable>([
	[
		'am',
		table(
			[
				...APPLYING,
				'-i --interactive -s --signoff -u --utf8 -k --keep --keep-non-patch -m --message-id --keep-cr --no-keep-cr -c --scissors',
				'--no-scissors --continue -r --resolved --skip --abort --quit --show-current-patch --committer-date-is-author-date',
				'--ignore-date --rerere-autoupdate --no-rerere-autoupdate --gpg-sign --no-gpg-sign --no-verify -n',
			],
			'--quoted-cr --whitespace --directory --exclude --include -C -p --patch-format --resolvemsg --empty',
			'-S',
		),
	],
	[
		'apply',
		table(
			[
				...APPLYING,
				'--no-add --stat --numstat --summary --check --index -N --intent-to-add --cached --apply -z -R --reverse --unidiff-zero',
				'--allow-overlap -v --verbose --inaccurate-eof --recount --ours --theirs --union',
			],
			'--exclude --include -p -C --whitespace --directory',
		),
	],
	['branch', table(['-f --force -d -D --delete -m -M --move -c -C --copy -q --quiet -v --verbose --create-reflog --no-track'])],
	[
		'checkout',
		table(
			[
				...SWITCHING,
				'-l --overlay --no-overlay -2 --ours -3 --theirs -p --patch --ignore-skip-worktree-bits --pathspec-file-nul',
			],
			'-b -B --orphan --conflict --pathspec-from-file',
		),
	],
	[
		'clone',
		table(
			[
				'-v --verbose -q --quiet --progress --no-progress --reject-shallow --no-reject-shallow -n --no-checkout --bare -l --local --no-local',
				'--no-hardlinks -s --shared --recurse-submodules --recursive --dissociate --single-branch --no-single-branch --no-tags',
				'--shallow-submodules --remote-submodules --sparse -4 --ipv4 -6 --ipv6',
			],
			'-j --jobs -o --origin -b --branch --depth --shallow-since --shallow-exclude --filter --reference --reference-if-able',
		),
	],
	[
		'fetch',
		table(
			[
				...TRANSFER,
				'--atomic -m --multiple -n --write-fetch-head --no-write-fetch-head -u --update-head-ok --refetch --auto-maintenance',
				'--no-auto-maintenance --auto-gc --no-auto-gc --write-commit-graph --no-write-commit-graph',
			],
			'-j --jobs -o --server-option --negotiation-tip',
		),
	],
	['gc', table(['-q --quiet --auto --no-prune --cruft --no-cruft'])],
	['init', table(['-q --quiet --bare'], '-b --initial-branch --object-format')],
	['mv', table(['-v --verbose -n --dry-run -f --force -k --sparse'])],
	[
		'pull',
		table(
			[
				...TRANSFER,
				'-r --rebase --no-rebase -n --stat --no-stat --log --no-log --signoff --no-signoff --squash --no-squash --commit --no-commit -e',
				'--edit --no-edit --ff --no-ff --ff-only --verify --no-verify --verify-signatures --no-verify-signatures --autostash',
				'--no-autostash --allow-unrelated-histories --gpg-sign --no-gpg-sign --jobs',
			],
			'-s --strategy -X --strategy-option --cleanup -o --server-option --negotiation-tip',
			'-S -j',
		),
	],
	[
		'rebase',
		table(
			[
				'-i --interactive -q --quiet -v --verbose -n --no-stat --stat --signoff --committer-date-is-author-date --reset-author-date',
				'--ignore-date --ignore-whitespace -f --force-rebase --no-ff --continue --skip --abort --quit --edit-todo --show-current-patch',
				'--apply -m --merge --rerere-autoupdate --no-rerere-autoupdate --autosquash --no-autosquash --no-update-refs --autostash',
				'--no-autostash -r --rebase-merges --no-rebase-merges --fork-point --no-fork-point --root --reschedule-failed-exec',
				'--no-reschedule-failed-exec --reapply-cherry-picks --no-reapply-cherry-picks --keep-base --verify --no-verify --keep-empty',
				'--no-keep-empty --gpg-sign --no-gpg-sign',
			],
			'--onto -C --whitespace --empty -x --exec -s --strategy -X --strategy-option',
			'-S',
		),
	],
	[
		'restore',
		table(
			[
				'-S --staged -W --worktree --ignore-unmerged --overlay --no-overlay -q --quiet --progress --no-progress -m --merge -2 --ours',
				'-3 --theirs -p --patch --recurse-submodules --no-recurse-submodules --ignore-skip-worktree-bits --pathspec-file-nul',
			],
			'-s --source --conflict --pathspec-from-file',
		),
	],
	[
		'rm',
		table(
			['-n --dry-run -q --quiet --cached -f --force -r --ignore-unmatch --sparse --pathspec-file-nul'],
			'--pathspec-from-file',
		),
	],
	['submodule add', table(['-f --force --progress --dissociate -q --quiet'], '-b --branch --name --reference --depth')],
	['switch', table(SWITCHING, '-c -C --create --force-create --orphan --conflict')],
]);

/** Letters with a value in commands of which only some options matter; without them `-SOutput` would hold an `-o`. */
export const VALUED_LETTERS: ReadonlyMap<string, ValuedLetters> = new Map([
	['archive', { takes: names('-o'), joined: names() }],
	['format-patch', { takes: names('-v -o -l -S -G -O -I'), joined: names('-U -X -B -M -C') }],
	['grep', { takes: names('-A -B -C -m -e -f'), joined: names('-O') }],
	['tag', { takes: names(), joined: names('-n') }],
]);
