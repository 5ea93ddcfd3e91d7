// Options of git's commands that affect where they write. Options that write elsewhere or lose work are omitted on purpose.
import { names } from '../shell/flags.ts';

/** The known options of one command. */
export type OptionTable = {
	/** Without a value, or with one behind `=` only. */
	plain: ReadonlySet<string>;
	/** With a value: the rest of the word, or else the next word. */
	takes: ReadonlySet<string>;
	/** Letters whose value is the rest of the word, never the next word. */
	joined: ReadonlySet<string>;
};

/** Lists of names separated by blanks. */
type Row = { [List in keyof OptionTable]?: string };

export function toOptionTable({ plain, takes, joined }: Row): OptionTable {
	return { plain: names(plain), takes: names(takes), joined: names(joined) };
}

const TRANSFER = `-v --verbose -q --quiet --progress --no-progress --recurse-submodules --no-recurse-submodules --all -a --append -t --tags
	--no-tags -p --prune --no-prune --dry-run -k --keep --unshallow -4 --ipv4 -6 --ipv6 --show-forced-updates --no-show-forced-updates`;
const SWITCHING = `-q --quiet --progress --no-progress -m --merge -t --track --no-track --guess --no-guess --recurse-submodules --no-recurse-submodules
	--overwrite-ignore --no-overwrite-ignore`;
const APPLYING = '-3 --3way --no-3way -q --quiet --ignore-space-change --ignore-whitespace --reject --no-reject --allow-empty';

const ROWS: Record<string, Row> = {
	am: {
		plain: `${APPLYING}
			-i --interactive -s --signoff -u --utf8 -k --keep --keep-non-patch -m --message-id --keep-cr --no-keep-cr -c --scissors
			--no-scissors --continue -r --resolved --skip --abort --quit --show-current-patch --committer-date-is-author-date
			--ignore-date --rerere-autoupdate --no-rerere-autoupdate --gpg-sign --no-gpg-sign --no-verify -n`,
		takes: '--quoted-cr --whitespace --directory --exclude --include -C -p --patch-format --resolvemsg --empty',
		joined: '-S',
	},
	apply: {
		plain: `${APPLYING}
			--no-add --stat --numstat --summary --check --index -N --intent-to-add --cached --apply -z -R --reverse --unidiff-zero
			--allow-overlap -v --verbose --inaccurate-eof --recount --ours --theirs --union`,
		takes: '--exclude --include -p -C --whitespace --directory',
	},
	branch: { plain: '-f --force -d -D --delete -m -M --move -c -C --copy -q --quiet -v --verbose --create-reflog --no-track' },
	checkout: {
		plain: `${SWITCHING}
			-l --overlay --no-overlay -2 --ours -3 --theirs -p --patch --ignore-skip-worktree-bits --pathspec-file-nul`,
		takes: '-b -B --orphan --conflict --pathspec-from-file',
	},
	clone: {
		plain: `-v --verbose -q --quiet --progress --no-progress --reject-shallow --no-reject-shallow -n --no-checkout --bare -l --local --no-local
			--no-hardlinks -s --shared --recurse-submodules --recursive --dissociate --single-branch --no-single-branch --no-tags
			--shallow-submodules --remote-submodules --sparse -4 --ipv4 -6 --ipv6`,
		takes: '-j --jobs -o --origin -b --branch --depth --shallow-since --shallow-exclude --filter --reference --reference-if-able',
	},
	fetch: {
		plain: `${TRANSFER}
			--atomic -m --multiple -n --write-fetch-head --no-write-fetch-head -u --update-head-ok --refetch --auto-maintenance
			--no-auto-maintenance --auto-gc --no-auto-gc --write-commit-graph --no-write-commit-graph`,
		takes: '-j --jobs -o --server-option --negotiation-tip',
	},
	gc: { plain: '-q --quiet --auto --no-prune --cruft --no-cruft' },
	init: { plain: '-q --quiet --bare', takes: '-b --initial-branch --object-format' },
	mv: { plain: '-v --verbose -n --dry-run -f --force -k --sparse' },
	pull: {
		plain: `${TRANSFER}
			-r --rebase --no-rebase -n --stat --no-stat --log --no-log --signoff --no-signoff --squash --no-squash --commit --no-commit -e
			--edit --no-edit --ff --no-ff --ff-only --verify --no-verify --verify-signatures --no-verify-signatures --autostash
			--no-autostash --allow-unrelated-histories --gpg-sign --no-gpg-sign --jobs`,
		takes: '-s --strategy -X --strategy-option --cleanup -o --server-option --negotiation-tip',
		joined: '-S -j',
	},
	rebase: {
		plain: `-i --interactive -q --quiet -v --verbose -n --no-stat --stat --signoff --committer-date-is-author-date --reset-author-date
			--ignore-date --ignore-whitespace -f --force-rebase --no-ff --continue --skip --abort --quit --edit-todo --show-current-patch
			--apply -m --merge --rerere-autoupdate --no-rerere-autoupdate --autosquash --no-autosquash --no-update-refs --autostash
			--no-autostash -r --rebase-merges --no-rebase-merges --fork-point --no-fork-point --root --reschedule-failed-exec
			--no-reschedule-failed-exec --reapply-cherry-picks --no-reapply-cherry-picks --keep-base --verify --no-verify --keep-empty
			--no-keep-empty --gpg-sign --no-gpg-sign`,
		takes: '--onto -C --whitespace --empty -x --exec -s --strategy -X --strategy-option',
		joined: '-S',
	},
	restore: {
		plain: `-S --staged -W --worktree --ignore-unmerged --overlay --no-overlay -q --quiet --progress --no-progress -m --merge -2 --ours
			-3 --theirs -p --patch --recurse-submodules --no-recurse-submodules --ignore-skip-worktree-bits --pathspec-file-nul`,
		takes: '-s --source --conflict --pathspec-from-file',
	},
	rm: {
		plain: '-n --dry-run -q --quiet --cached -f --force -r --ignore-unmatch --sparse --pathspec-file-nul',
		takes: '--pathspec-from-file',
	},
	'submodule add': { plain: '-f --force --progress --dissociate -q --quiet', takes: '-b --branch --name --reference --depth' },
	switch: { plain: SWITCHING, takes: '-c -C --create --force-create --orphan --conflict' },
};

export const OPTION_TABLES: ReadonlyMap<string, OptionTable> = new Map(
	Object.entries(ROWS).map(([command, row]) => [command, toOptionTable(row)]),
);

/** Letters with a value in commands of which only some options matter; without them `-SOutput` would be read as `-o`. */
export const VALUED_LETTERS: ReadonlyMap<string, OptionTable> = new Map([
	['archive', toOptionTable({ takes: '-o' })],
	['format-patch', toOptionTable({ takes: '-v -o -l -S -G -O -I', joined: '-U -X -B -M -C' })],
	['grep', toOptionTable({ takes: '-A -B -C -m -e -f', joined: '-O' })],
	['tag', toOptionTable({ joined: '-n' })],
]);
