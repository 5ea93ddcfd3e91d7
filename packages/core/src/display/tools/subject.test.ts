import { describe, expect, it } from 'vitest';
import { relativeTo, subjectOf } from './subject.ts';

describe('subject of a call', () => {
	it.each([
		['Bash', { command: '\n\n  npm test  ' }, 'npm test'],
		['Bash', { command: 'cat <<X\na\nX' }, 'cat <<X (+2 lines)'],
		['Bash', { command: 7 }, ''],
		['Read', { file_path: '/project/src/a.ts' }, 'src/a.ts'],
		['NotebookEdit', { notebook_path: '/project/a.ipynb' }, 'a.ipynb'],
		['Grep', { pattern: 'x', path: '/project/src' }, 'x in src'],
		['Grep', { pattern: 'x' }, 'x'],
		['Agent', { subagent_type: 'Explore', description: 'Look' }, 'Explore: Look'],
		['Task', { prompt: 'Look\nwell' }, 'Look'],
		['TodoWrite', { todos: [1, 2] }, '2 todos'],
		['TaskUpdate', { taskId: '4', status: 'completed' }, '4 completed'],
		['AskUserQuestion', { questions: [{ question: 'Why?' }] }, 'Why?'],
		['WebFetch', { url: 'https://example.org', prompt: 'x' }, 'https://example.org'],
		['mcp__a__b', { other: 'words' }, 'words'],
		['mcp__a__b', {}, ''],
	])('%s %j: %s', (tool, input, subject) => {
		expect(subjectOf(tool, input, '/project')).toBe(subject);
	});

	it.each([
		['/project/a', '/project', 'a'],
		['/project/a', '/project/', 'a'],
		['/project2/a', '/project', '/project2/a'],
		['/project', '/project', '/project'],
		['/a', undefined, '/a'],
		['/a', '', '/a'],
	])('shows %s relative to %s as %s', (path, cwd, shown) => {
		expect(relativeTo(path, cwd)).toBe(shown);
	});
});
