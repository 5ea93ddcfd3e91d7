import { promptId, sessionId } from '@roost/protocol/ids';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene, goldenScreen } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';

const WAITING = ['Then run the tests.', 'Write down what changed:\nin one sentence.'].map((text, at) => ({
	id: promptId.parse(`p${at + 1}`),
	text,
	queuedAt: at,
}));
const QUEUES = { queues: new Map([[sessionId.parse('k3f9'), WAITING]]) };
const OBSERVED = {
	driving: { takesPrompts: false, why: 'This session is only observed: write to its agent in the terminal where it runs.' },
} as const;

const SCREENS = [
	{ name: 'written', world: {}, keys: ['i', 'a', 'ctrl+j', 'b'] },
	{ name: 'queue', world: QUEUES, keys: ['i', 'tab', 'down'] },
	{ name: 'change', world: QUEUES, keys: ['i', 'tab', 'down', 'enter'] },
	{ name: 'observed', world: OBSERVED, keys: ['i'] },
	{ name: 'interrupt', world: {}, keys: ['esc'] },
];

const SIZES = [
	{ columns: 80, rows: 24 },
	{ columns: 120, rows: 40 },
];

describe.each(SCREENS)('composer: $name', ({ name, world, keys }) => {
	it.each(SIZES.flatMap((size) => [size, { ...size, ascii: true }]))('matches its golden screen, %o', async (options) => {
		const tui = openHeadlessTui(sampleWorld(world), options);
		tui.press(...keys);
		using terminal = await drawScene(tui.scene(), options);
		expect(terminal.text()).toBe(goldenScreen(`composer-${name}`, terminal, options));
	});
});
