import { rule } from '@roost/protocol/rule';
import { UNTRIED_TRICKS_BEHIND_ALLOWS } from '@roost/testkit/corpora/options-that-act';
import { PUSH_TRICKS } from '@roost/testkit/corpora/push-tricks';
import { TRICKS_BEHIND_ALLOWS } from '@roost/testkit/corpora/tricks-behind-allows';
import { RM_TRICKS } from '@roost/testkit/corpora/tricks-beside-denies';
import { expect, it } from 'vitest';
import { judge } from './match.ts';
import { PRESET_NAMES, PRESETS } from './presets.ts';

const RULES = PRESET_NAMES.flatMap((name) => PRESETS[name].patterns).map((argsPattern) =>
	rule.parse({
		id: argsPattern,
		tool: 'Bash',
		argsPattern,
		decision: 'allow',
		scope: 'user',
		scopeId: 'user',
		addedBy: 'test',
		createdAt: 1,
	}),
);
const isAllowed = (command: string) =>
	judge({ tool: 'Bash', input: { command } }, RULES, { sessionId: '', projectId: '' }).decision === 'allow';

it('allows no line that deletes, pushes or acts through an option, with all presets combined', () => {
	const acting = [...TRICKS_BEHIND_ALLOWS, ...UNTRIED_TRICKS_BEHIND_ALLOWS].flatMap(({ lines }) => lines);
	expect([...RM_TRICKS, ...PUSH_TRICKS, ...acting].filter(isAllowed)).toEqual([]);
});

it.each([
	'git push',
	'npm install x',
	'npm publish',
	'npx tsc',
	'rm x',
	'pip install x',
	'git branch -D main',
	'git checkout .',
	'find . -delete',
	'ruff format .',
	'echo x > y',
	'sort -o a b',
	'command rm x',
	'cat x | sh',
])('does not allow %s', (line) => {
	expect(isAllowed(line)).toBe(false);
});

it.each([
	'cd packages/core && npm test 2>&1 | tail -20',
	'git status && git diff --stat | head -5',
	'git add -A && git commit -m "Say why"',
	'find . -name "*.ts" | wc -l',
	'python3 -m pytest -q | grep FAILED',
	'for f in *.md; do head -1 "$f"; done',
	'command -v node && node --version',
])('allows %s', (line) => {
	expect(isAllowed(line)).toBe(true);
});

it('contains every rule once', () => {
	expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
});
