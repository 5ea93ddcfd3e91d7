// Screens of a driven session with user actions, and of a read-only past session.

import type { OpenSession } from '@roost/client/world/world';
import { promptId } from '@roost/protocol/ids';
import { type EventContent, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { sampleOpen, samplePast, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene, goldenScreen, SCENE_SIZES } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';

const SAID: readonly EventContent[] = [
	{ kind: 'user.prompt', data: { prompt: 'Mend the roof', cwd: '/project' } },
	{ kind: 'agent.message', data: { text: 'It is tight now.' } },
];
const DONE: readonly EventContent[] = [
	{
		kind: 'session.drive',
		data: { mode: 'sdk', cwd: '/project', permission_mode: 'acceptEdits' },
	},
	{ kind: 'prompt.update', data: { prompt_id: promptId.parse('p1'), state: 'queued', text: 'Hidden' } },
	...SAID,
	{ kind: 'session.renamed', data: { title: 'The roof' } },
	{ kind: 'session.archived', data: { archived: true } },
];

const openWith = (contents: readonly EventContent[]) =>
	sampleOpen(contents.map((content, at) => sampleEvent('k3f9', at + 1, content)));

const SCENES: readonly (readonly [name: string, open: OpenSession])[] = [
	['driven', { ...openWith(DONE), row: sampleSession('k3f9', { driven: true }) }],
	['past-open', { ...openWith(SAID), past: samplePast() }],
];

describe.each(SCENE_SIZES.slice(0, 2))('at $columns x $rows', (size) => {
	it.each(SCENES)('%s matches its golden screen', async (name, open) => {
		using terminal = await drawScene(openHeadlessTui(sampleWorld({ open }), size).scene(), size);
		expect(terminal.text()).toBe(goldenScreen(name, terminal));
		expect(terminal.text()).not.toContain('Hidden');
	});
});
