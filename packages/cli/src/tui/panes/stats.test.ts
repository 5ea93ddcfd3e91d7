import type { World } from '@roost/client/world/world';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { statsPane } from './stats.ts';

const styles = plainStyles();

function text(world: World, width = 80, height = 20): string {
	return toText(statsPane.draw(statsPane.start(world), world, { width, height, styles }).rows, width);
}

describe('stats pane', () => {
	it('shows runs, tools, tokens and actors', () => {
		const shown = text(sampleWorld());
		for (const words of ['1 run, running for 58.0s', '22 events, 4 tool calls, 1 failed', '21.9k, about $0.08', '3, 1 failed']) {
			expect.soft(shown).toContain(words);
		}
		expect(shown).toMatch(/^ Bash +1 +1 +6\.0s +6\.0s {2}█+$/m);
		expect(shown).toMatch(/^ cache read +█+░+ {2}18\.0k$/m);
	});

	it('shows empty stats for a session without events, and reports when no session is open', () => {
		const shown = text(sampleWorld({ open: sampleOpen([]) }));
		expect(shown).toContain('0 runs');
		expect(shown).toContain('none was called');
		expect(shown).toContain('none reported yet');
		expect(text(sampleWorld({ open: null }))).toBe('No session is open.');
	});

	it('scrolls to the end and no further', () => {
		const world = sampleWorld();
		const room = { width: 80, height: 3, styles };
		const end = statsPane.act(statsPane.start(world), 'bottom', world, room).state;
		expect(toText(statsPane.draw(end, world, room).rows, 80)).toMatch(/Explore a1 .*1$/);
		expect(statsPane.act(end, 'down', world, room).state).toEqual(end);
	});
});
