import { describe, expect, it } from 'vitest';
import { parseTestedInput } from './tested-input.ts';

describe('the input of a tested call', () => {
	it('is the command alone for Bash, else a JSON object', () => {
		expect(parseTestedInput('Bash', 'git push')).toEqual({ ok: true, value: { command: 'git push' } });
		expect(parseTestedInput('Bash', '{"command": "ls"}')).toEqual({ ok: true, value: { command: 'ls' } });
		expect(parseTestedInput('Read', '{"file_path": "a"}')).toEqual({ ok: true, value: { file_path: 'a' } });
	});

	it.each([
		['Bash', ''],
		['Read', 'src/main.ts'],
		['Read', '[1]'],
		['Bash', '{"command":'],
	])('is refused for %s as %j with an example', (tool, text) => {
		const parsed = parseTestedInput(tool, text);
		expect(parsed.ok).toBe(false);
		expect(parsed.ok ? '' : parsed.error.message).toContain('JSON object, such as');
	});
});
