// Starter rules: everyday commands that change nothing, or only what every task changes.

export type Preset = { name: PresetName; about: string; patterns: readonly string[] };
export const PRESET_NAMES = ['read-only', 'node', 'python', 'git'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** Patterns separated by commas. */
const list = (text: string): readonly string[] => text.split(',').map((pattern) => pattern.trim());

/** Allow rules for `Bash`. Nothing here publishes, installs, or runs a program that is named on the line. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
	'read-only': {
		name: 'read-only',
		about: 'commands that read files and print text',
		patterns: list(`
			cd *, ls *, pwd, cat *, head *, tail *, wc *, grep *, rg *, find *, tree *, stat *, file *, du *, df *,
			which *, command -v *, diff *, sort *, uniq *, cut *, tr *, jq *, echo *, date *
		`),
	},
	node: {
		name: 'node',
		about: 'tests, checks and builds of a Node.js project',
		patterns: list(`
			node --version, npm --version, npm test *, npm run test *, npm run lint *, npm run typecheck *,
			npm run build *, npm ls *, npm outdated *, pnpm test *, pnpm run test *, pnpm run lint *, pnpm run typecheck *,
			pnpm run build *, yarn test *, yarn lint *, yarn build *
		`),
	},
	python: {
		name: 'python',
		about: 'tests and checks of a Python project',
		patterns: list(`
			python --version, python3 --version, pytest *, python -m pytest *, python3 -m pytest *, mypy *, pyright *,
			ruff check *, ruff format --check *, black --check *, pip list *, pip show *
		`),
	},
	git: {
		name: 'git',
		about: 'reading a repository and committing to it, without pushing',
		patterns: list(`
			git status *, git diff *, git log *, git show *, git blame *, git branch, git branch --list *, git rev-parse *,
			git ls-files *, git grep *, git stash list *, git add *, git commit *, git fetch *
		`),
	},
};
