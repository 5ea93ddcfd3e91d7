// Real bash runs the tricks that the judge denies: each has the stated effect, so that its denial is meaningful.
import { READING_COMMANDS } from '@roost/testkit/corpora/reading-commands';
import { SHELL_TRICKS } from '@roost/testkit/corpora/shell-tricks';
import { createTrickWorld } from '@roost/testkit/rigs/shell/trick-world';
import { expect, it } from 'vitest';

const ALL = process.env.ROOST_SOAK === '1';
const AT_ONCE = 4;
const SHOWN = SHELL_TRICKS.filter((trick) => trick.shows).map((trick) => trick.line);

async function shownBy(lines: readonly string[]): Promise<string[]> {
	await using world = await createTrickWorld();
	const shown: string[] = [];
	const waiting = lines.values();
	const workers = Array.from({ length: AT_ONCE }, async () => {
		for (const line of waiting) if (await world.shows(line)) shown.push(line);
	});
	await Promise.all(workers);
	return shown;
}

it('reproduces the documented effect of the tricks in real bash', { timeout: 300_000 }, async () => {
	expect(SHOWN.length).toBeGreaterThan(300);
	const tried = ALL ? SHOWN : SHOWN.filter((_, at) => at % 8 === 0);
	const shown = new Set(await shownBy(tried));
	expect(tried.filter((line) => !shown.has(line))).toEqual([]);
});

it('changes nothing in real bash with the reading commands', { timeout: 300_000 }, async () => {
	const tried = READING_COMMANDS.filter((line) => !line.startsWith('roost'));
	expect(await shownBy(ALL ? tried : tried.filter((_, at) => at % 8 === 0))).toEqual([]);
});
