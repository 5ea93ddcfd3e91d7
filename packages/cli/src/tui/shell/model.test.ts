import type { Source } from '@roost/client/world/source';
import type { Wish } from '@roost/client/world/wish';
import type { World } from '@roost/client/world/world';
import type { AskId } from '@roost/protocol/ids';
import { samplePermission, sampleQuestion, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { createStyles } from '../screen/styles.ts';
import { createModel } from './model.ts';

const STYLES = { theme: 'dark', colour: true, ascii: false } as const;
const ROOM = { width: 80, height: 20, styles: createStyles(STYLES) };

/** A model on a world that changes only when the test says so. */
function modelOn(start: Partial<World> = {}, ask?: AskId) {
	let world = sampleWorld(start);
	const performed: Wish[] = [];
	const received = { changes: 0, quits: 0 };
	const source: Source = {
		world: () => world,
		onChange: () => {},
		perform: (wish) => performed.push(wish),
		tick: () => {},
		[Symbol.asyncDispose]: async () => {},
	};
	const model = createModel({
		source,
		styles: STYLES,
		copy: async () => 'Copied.',
		ask,
		onChange: () => {
			received.changes += 1;
		},
		quit: () => {
			received.quits += 1;
		},
	});
	const wait = (ms: number) => {
		world = { ...world, now: world.now + ms };
	};
	const report = (part: Partial<World>) => {
		world = { ...world, ...part };
		model.observe();
	};
	return { model, report, incoming: received, performed, wait, press: (name: string) => model.press({ name, text: '' }, ROOM) };
}

describe('model', () => {
	it('clears a notice after five seconds', () => {
		const { model, wait } = modelOn();
		model.say('Copied.');
		wait(4_900);
		expect(model.snapshot().notice).toBe('Copied.');
		wait(200);
		expect(model.snapshot().notice).toBe('');
	});

	it('clears a notice at the next key', () => {
		const { model, press } = modelOn();
		model.say('Copied.');
		press('down');
		expect(model.snapshot().notice).toBe('');
	});

	it('requests a frame when a notice is shown', () => {
		const { model, incoming: received } = modelOn();
		model.say('Something.');
		expect(received.changes).toBe(1);
	});

	it.each(['q', 'ctrl+c'])('quits with %s', (key) => {
		const { incoming: received, press } = modelOn();
		press(key);
		expect(received.quits).toBe(1);
	});

	it('quits with Ctrl-C but not with q while text is typed', () => {
		const { incoming: received, press } = modelOn();
		press('/');
		press('q');
		expect(received.quits).toBe(0);
		press('ctrl+c');
		expect(received.quits).toBe(1);
	});

	it('opens the chosen request when it is known, before older ones', () => {
		const [older, chosen] = [samplePermission(), sampleQuestion()];
		const { model, report } = modelOn({ asks: [] }, chosen.id);
		report({ sessions: [] });
		expect(model.snapshot().shell.dialogs).toEqual([]);
		report({ asks: [older, chosen] });
		expect(model.snapshot().shell).toMatchObject({ dialogs: ['question'], panes: { question: { ask: chosen.id } } });
	});

	it('forgets the chosen request when the user does something else', () => {
		const [older, chosen] = [samplePermission(), sampleQuestion()];
		const { model, report, press } = modelOn({ asks: [] }, chosen.id);
		press('w');
		report({ asks: [older, chosen] });
		expect(model.snapshot().shell.dialogs).toEqual(['permission']);
	});
});
