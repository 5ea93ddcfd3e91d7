import { expect, it } from 'vitest';
import { countWatching } from './stream-sockets.ts';

it.each([
	[[], 0],
	[['cli', 'http', 'cli'], 0],
	[['web'], 1],
	[['tui', 'cli', 'web', 'web'], 3],
	[['website', 'TUI', ''], 0],
])('of the faces %j, %i are watching', (faces, count) => {
	expect(countWatching(faces)).toBe(count);
});
