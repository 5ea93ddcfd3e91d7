import { describe, expect, it } from 'vitest';
import { MAX_STEPS } from '../shell/budget.ts';
import { simpleCommands } from '../shell/simple-commands.ts';
import { meaningsOf } from './line-meanings.ts';

const read = (line: string) => meaningsOf(line, simpleCommands(line));
const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);

describe('possible meanings of a line', () => {
	it('are complete for lines that people and agents write', () => {
		for (const line of [
			'sudo env A=1 timeout 5 sh -c "ls; sudo rm x"',
			`cat > x <<'E'\n${'Nothing (happens) here.\n'.repeat(1_000)}E`,
			`sudo rm ${'a-file-among-many '.repeat(500)}`,
		])
			expect(read(line).complete, line.slice(0, 40)).toBe(true);
	});

	it.each([
		['all tails of many words', `sudo ${'a '.repeat(60_000)}`],
		['all tails of words that are lines themselves', `sudo ${"'a;b' ".repeat(20_000)}`],
		['nested lines', `sudo ${`"sudo ${"'sudo a b c' ".repeat(9)}" `.repeat(900)}`],
		['a long command with many written files', `echo ${'a'.repeat(60_000)} ${'> b '.repeat(17_000)}`],
	])('are bounded: %s', (_, line) => {
		const { complete, texts } = read(line);
		expect(complete).toBe(false);
		// Every rule checks all of these.
		expect(lengthOf(texts)).toBeLessThan(4 * MAX_STEPS);
	});

	it('are incomplete for a line that is nested too deeply', () => {
		const nest = (depth: number): string => (depth === 0 ? 'ls' : `sh -c ${JSON.stringify(nest(depth - 1))}`);
		expect(read(nest(3)).complete).toBe(true);
		expect(read(nest(5)).complete).toBe(false);
	});
});
