// Every allowed git command, with every option that could precede a dangerous one.
import { describe, expect, it } from 'vitest';
import { fixedValue, fixedWord } from '../shell/guard-word.ts';
import { whyNotReading } from './git-reading.ts';
import { judgeGit } from './git-writing.ts';

const GIT_FLAGS: readonly string[] = [
	'-2 -3 -4 -6 -A -B -C -D -E -F -G -H -I -L -M -N -P -R -S -U -W -X -a -b -c -d -e -f -g -h -i -j -k -l -m -n -o -p -q -r -s -t -u',
	'-v -w -x -z --3way --abbrev --abbrev-commit --abort --add --aggressive --ahead-behind --aliases --all --all-match --allow-empty',
	'--allow-empty-message --allow-overlap --allow-unknown-type --allow-unrelated-histories --also-filter-submodules --always --amend',
	'--and --annotate --annotate-stdin --append --apply --atomic --attach --auto --auto-gc --auto-maintenance --autosquash',
	'--autostash --bare --basic-regexp --batch --batch-all-objects --batch-check --batch-command --binary --bisect --bisect-all',
	'--bisect-vars --bool --bool-or-int --bool-or-str --boundary --branch --branches --break --break-rewrites --broken --buffer',
	'--build-options --cache --cached --cc --check --cherry-mark --cherry-pick --children --clear-decorations --color --color-by-age',
	'--color-lines --color-moved --color-words --column --combined-all-paths --comment-lines --commit --committer --committer-date-',
	'is-author-date --compact-summary --config --connectivity-only --contains --continue --copy --count --cover-letter --create-',
	'reflog --cruft --cumulative --current --dangling --date-order --debug --decorate --deduplicate --delete --deleted --dereference',
	'--detach --developer-interfaces --directory --dirstat --dirstat-by-file --dirty --discard-changes --disk-usage --dissociate',
	'--do-walk --dry-run --edit --edit-description --edit-todo --email --empty-directory --end-of-options --eol --error-unmatch',
	'--exact-match --exclude-existing --exclude-hidden --exclude-standard --exit-code --expiry-date --ext-grep --extended-regexp',
	'--external-commands --ff --ff-only --files-with-matches --files-without-match --find-copies --find-copies-harder --find-renames',
	'--first-parent --fixed-strings --fixed-value --follow --follow-symlinks --force --force-in-body-from --force-rebase --fork-point',
	'--from --full --full-history --full-index --full-name --full-tree --function-context --get --get-all --get-color --get-colorbool',
	'--get-regexp --get-url --get-urlmatch --git-dir --global --gpg-sign --graph --guess --guides --hash --head --header --heading',
	'--heads --histogram --human-readable --ignore-all-space --ignore-blank-lines --ignore-case --ignore-cr-at-eol --ignore-date',
	'--ignore-errors --ignore-if-in-upstream --ignore-missing --ignore-other-worktrees --ignore-removal --ignore-skip-worktree-bits',
	'--ignore-space-at-eol --ignore-space-change --ignore-submodules --ignore-unmatch --ignore-unmerged --ignore-whitespace --ignored',
	'--inaccurate-eof --include --include-untracked --includes --incremental --indent-heuristic --independent --index --info --init',
	'--inline --int --intent-to-add --interactive --invert-match --ipv4 --ipv6 --irreversible-delete --is-ancestor --is-inside-work-',
	'tree --ita-invisible-in-index --ita-visible-in-index --jobs --keep --keep-base --keep-cr --keep-index --keep-largest-pack',
	'--keep-non-patch --keep-redundant-commits --keep-subject --killed --left-only --left-right --line-number --line-porcelain --list',
	'--literally --local --log --long --lost-found --mailmap --man --merge --merge-base --merges --message-id --minimal --mirror',
	'--missing-ok --mixed --modified --more --move --multiple --name-objects --name-only --name-status --negotiate-only --no-abbrev',
	'--no-add --no-binary --no-checkout --no-color --no-commit --no-dual-color --no-ext-diff --no-ff --no-filters --no-hardlinks',
	'--no-index --no-keep-cr --no-max-parents --no-merges --no-min-parents --no-name --no-notes --no-numbered --no-pager --no-patch',
	'--no-post-rewrite --no-prefix --no-refresh --no-renames --no-stat --no-tags --no-textconv --no-verify --no-walk --non-matching',
	'--not --notes --null --numbered --numbered-files --numstat --object-only --objects --objects-edge --octopus --oneline --only',
	'--only-matching --only-untracked --or --others --ours --overlay --overwrite-ignore --parents --patch --patch-with-raw --patch-',
	'with-stat --path --pathspec-file-nul --patience --perl --perl-regexp --pickaxe-all --pickaxe-regex --porcelain --prefetch',
	'--pretty --progress --prune --prune-tags --python --quiet --quit --raw --reapply-cherry-picks --rebase --rebase-merges --recount',
	'--recurse --recurse-submodules --recursive --reference --refetch --reflog --reflogs --refresh --refs --reject --reject-shallow',
	'--relative --relative-date --remote-submodules --remotes --remove-empty --remove-section --rename-empty --rename-section',
	'--renormalize --replace-all --rerere-autoupdate --reschedule-failed-exec --reset-author --reset-author-date --resolve-undo',
	'--resolved --reverse --rfc --right-only --root --scissors --score-debug --set-upstream --sha1-name --shallow-submodules --shared',
	'--shell --short --shortstat --show-current --show-current-patch --show-email --show-forced-updates --show-function --show-name',
	'--show-notes --show-number --show-origin --show-scope --show-signature --show-stash --show-stats --show-toplevel --sign',
	'--signoff --simplify-by-decoration --single-branch --skip --soft --source --sparse --squash --stage --staged --stat --status',
	'--stdin --stdin-paths --stdout --strict --strip-comments --submodule --summary --symbolic --symref --system --tags --tcl --text',
	'--theirs --thread --topics --topo-order --track --undefined --unidiff-zero --unified --unmerged --unordered --unpacked',
	'--unreachable --unset --unset-all --unset-upstream --unshallow --untracked --untracked-files --update --update-head-ok --update-',
	'refs --update-shallow --use-mailmap --user-interfaces --utf8 --verbose --verify --verify-signatures --walk-reflogs --word-diff',
	'--word-regexp --worktree --worktree-attributes --write-commit-graph --write-fetch-head --zero-commit',
].flatMap((line) => line.split(' '));

const COMMANDS = [
	'add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format',
	'checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects credential daemon',
	'describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch',
	'fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep hash-object help hook http-push imap-send',
	'index-pack init init-db instaweb interpret-trailers lfs log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base',
	'merge-file merge-index merge-one-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-refs',
	'patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay',
	'request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shell shortlog show show-branch show-index show-ref',
	'sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file unpack-objects update-index',
	'update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree write-tree',
].flatMap((line) => line.split(' '));
/** Arguments that some commands require. */
const FORMS = [
	[],
	['list'],
	['show'],
	['log'],
	['status'],
	['HEAD'],
	['user.name'],
	['create', 'x'],
	['start'],
	['--auto'],
	['-n'],
];

const isRead = (line: readonly string[]) => whyNotReading(line.map((word) => fixedWord(word))) === undefined;

/** The files it writes and the programs it runs; undefined if it is denied. */
function foundBy(line: readonly string[]): readonly (string | undefined)[] | undefined {
	const found = judgeGit(
		line.map((word) => fixedWord(word)),
		'bee',
	);
	return 'why' in found ? undefined : [...found.paths, ...found.lines].map(fixedValue);
}

/** Each command in a form that is allowed. */
function allowedForms(isAllowed: (line: readonly string[]) => boolean): string[][] {
	return COMMANDS.flatMap((name) =>
		FORMS.map((form) => [name, ...form])
			.filter(isAllowed)
			.slice(0, 1),
	);
}

function* withDanger(forms: readonly string[][], dangers: readonly string[]): Generator<string[]> {
	for (const form of forms) {
		for (const danger of dangers) for (const flag of [...GIT_FLAGS, '--']) yield [...form, flag, ...danger.split(' ')];
	}
}

function firstFew(lines: Iterable<readonly string[]>, isPassed: (line: readonly string[]) => boolean): string[] {
	return Iterator.from(lines)
		.filter(isPassed)
		.map((line) => line.join(' '))
		.take(10)
		.toArray();
}

const LETTERS = GIT_FLAGS.filter((flag) => /^-\w$/.test(flag));

describe('read-only agent', () => {
	it('may not write or run anything with git, behind any option', () => {
		const forms = allowedForms(isRead);
		expect(forms.length).toBeGreaterThan(35);
		const dangers = [
			'--output=x',
			'--output x',
			'--outp=x',
			'--ext-diff',
			'--textconv',
			'--exec=x',
			'--upload-p=x',
			'--open-f=x',
		];
		expect(firstFew(withDanger(forms, dangers), isRead)).toEqual([]);
	});

	it('may not use the pager of grep, alone or combined with other flags', () => {
		const letters = LETTERS.filter((flag) => !'-A -B -C -e -f -m'.includes(flag));
		const lines = [...GIT_FLAGS.map((flag) => ['grep', flag, '-Ox', 'y']), ...letters.map((flag) => ['grep', `${flag}Ox`, 'y'])];
		expect(firstFew(lines, isRead)).toEqual([]);
		expect(isRead(['grep', '-eOx'])).toBe(true);
	});
});

describe('agent that writes in its worktree', () => {
	const OUT = '../out/x';
	const isAllowed = (line: readonly string[]) => foundBy(line) !== undefined;
	/** In these commands, some flags take the next word as their value. */
	const TAKEN: Readonly<Record<string, string>> = {
		clone: '-b -j -o --branch --jobs --reference',
		init: '-b',
		fetch: '-j -o --jobs',
		pull: '-X -o -s',
		rebase: '-C -X -s -x',
		restore: '-s --source',
	};
	const behindFlags = (name: string, words: readonly string[], except = '') =>
		GIT_FLAGS.filter((flag) => !`${TAKEN[name] ?? ''} ${except}`.split(' ').includes(flag)).map((flag) => [name, flag, ...words]);
	const isMissed = (line: readonly string[]) => foundBy(line)?.includes(OUT) === false;

	it('has every file that git writes checked, behind any option', () => {
		const forms = allowedForms(isAllowed);
		expect(forms.length).toBeGreaterThan(60);
		expect(firstFew(withDanger(forms, [`--output=${OUT}`, `--output ${OUT}`, `--outp=${OUT}`]), isMissed)).toEqual([]);
		expect(firstFew(withDanger(forms, [`--output -q ${OUT}`]), isMissed)).toEqual([]);
		expect(firstFew(withDanger(forms, ['--upload-pack=x', '--unsafe-p', '--template x']), isAllowed)).toEqual([]);
	});

	it.each([
		['format-patch', ['-o', OUT]],
		['format-patch', [`-o${OUT}`]],
		['archive', ['-o', OUT, 'HEAD']],
		['rebase', ['-x', OUT]],
		['rebase', [`-x${OUT}`]],
		['rebase', ['--exec', OUT]],
		['clone', ['x', OUT]],
		['clone', ['--', 'x', OUT]],
		['init', [OUT]],
		['bundle', ['create', OUT]],
		['mv', ['x', OUT]],
		['submodule', ['add', 'x', OUT]],
	])('has the paths and commands of git %s checked behind every option: %j', (name, words) => {
		expect(foundBy([name, ...words])).toContain(OUT);
		expect(firstFew(behindFlags(name, words), isMissed)).toEqual([]);
	});

	it('has them checked among combined flags too', () => {
		const patches = LETTERS.filter((flag) => !'-v -o -l -S -G -O -I -U -X -B -M -C'.includes(flag));
		const rebases = LETTERS.filter((flag) => !'-C -x -s -X -S'.includes(flag));
		const lines = [
			...patches.flatMap((flag) => [
				['format-patch', `${flag}o`, OUT],
				['format-patch', `${flag}o${OUT}`],
			]),
			...rebases.flatMap((flag) => [
				['rebase', `${flag}x`, OUT],
				['rebase', `${flag}x${OUT}`],
			]),
		];
		expect(firstFew(lines, isMissed)).toEqual([]);
	});

	it.each([
		['fetch', ['.', 'x/y:other'], ''],
		['fetch', ['.', '+@:main'], ''],
		['pull', ['.', 'x/y:other'], ''],
		['rebase', ['main', 'other'], ''],
		['rebase', ['--root', 'other'], ''],
		['rebase', ['--onto', 'x', 'main', 'other'], ''],
		// With these, git does not switch.
		['checkout', ['main'], '-p --patch --ours --theirs -2 -3'],
		['checkout', ['-b', 'other'], ''],
		['checkout', ['-f'], ''],
		['switch', ['main'], ''],
		['switch', ['-c', 'other'], ''],
		['switch', ['--discard-changes', 'roost/bee/x'], ''],
		// With these, it lists.
		['branch', ['other'], '-l --list --contains --no-contains --merged --no-merged --points-at --sort --format'],
		['branch', ['-D', 'other'], ''],
		['reset', ['--hard'], ''],
		['restore', ['.'], '-S --staged'],
		['grep', ['-Ox', 'y'], ''],
	])('may not run git %s %j behind any option', (name, words, except) => {
		expect(isAllowed([name, ...words])).toBe(false);
		expect(firstFew(behindFlags(name, words, except), isAllowed)).toEqual([]);
	});
});
