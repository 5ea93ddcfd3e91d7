import type { World } from '@roost/client/world/world';
import {
	SAMPLE_NOW,
	sampleHub,
	samplePast,
	samplePermission,
	sampleQuestion,
	sampleWorld,
} from '@roost/testkit/rigs/tui/sample-world';
import { drawScene, goldenScreen, SCENE_SIZES } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';
import { DIALOGS, type DialogName, VIEWS, type ViewName } from './pane.ts';
import { open, startShell } from './shell/shell.ts';

const PAST = '7a1d3c52-0000-4000-8000-000000000002';

/** The state that gives each pane something to show. */
const WORLDS: Partial<Record<ViewName | DialogName, Partial<World>>> = {
	past: {
		past: {
			sessions: [samplePast(), samplePast({ nativeId: PAST, title: '', resumable: false })],
			looking: false,
			readAt: SAMPLE_NOW,
		},
	},
	permission: { asks: [samplePermission()] },
	waiting: { asks: [samplePermission(), sampleQuestion()] },
	question: { asks: [sampleQuestion()] },
	runners: sampleHub(),
};

describe.each([...VIEWS, ...DIALOGS])('screen of %s', (place) => {
	it.each(SCENE_SIZES.flatMap((size) => [size, { ...size, ascii: true }]))('matches its golden screen, %o', async (options) => {
		const world = sampleWorld(WORLDS[place]);
		using terminal = await drawScene({ shell: open(startShell(world), place, world), world, notice: '' }, options);
		expect(terminal.text()).toBe(goldenScreen(place, terminal, options));
	});
});

describe('screen in ASCII mode', () => {
	it.each([...VIEWS, ...DIALOGS])('contains only ASCII in %s', async (place) => {
		const world = sampleWorld(WORLDS[place]);
		const shell = open(startShell(world), place, world);
		using terminal = await drawScene({ shell, world, notice: '' }, { columns: 120, rows: 40, ascii: true });
		expect(terminal.text()).toMatch(/^[\n -~]*$/);
	});
});
