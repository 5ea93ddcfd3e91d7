import type { World } from '@roost/client/world/world';
import type { SearchHit } from '@roost/protocol/api/search';
import { eventId, projectId, sessionId } from '@roost/protocol/ids';
import { sampleRule, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { SAMPLE_START } from '@roost/testkit/rigs/record/sample-feed';
import { type HeadlessTui, openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { sampleHub, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene, goldenScreen, SCENE_SIZES } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';

const RULES = [
	sampleRule('7kq2m4xz9p', { decision: 'deny', argsPattern: 'rm -rf *', createdAt: SAMPLE_START - 90_000_000 }),
	sampleRule('b3x8', {
		tool: 'mcp__github__*',
		argsPattern: undefined,
		decision: 'ask',
		scope: 'project',
		scopeId: 'p1',
		projectPath: '/project',
	}),
	sampleRule('c1d2', { tool: 'Edit', argsPattern: 'src/**', scope: 'session', scopeId: 'k3f9', createdAt: SAMPLE_START }),
];
const ELSEWHERE = sampleSession('p9q1', {
	projectId: projectId.parse('/other'),
	projectPath: '/other',
	title: '宽 characters, and a title that is much too long to be shown on a line of eighty columns',
	status: 'interrupted',
	agent: 'codex',
	events: 12_345,
});
const AWAY = sampleSession('z8w3', { title: 'Try another cache', archived: true, status: 'ended', events: 71 });
const HIT: SearchHit = {
	sessionId: sessionId.parse('m2x7'),
	eventId: eventId.parse('m2x7:R1:E4'),
	offset: 4,
	ts: SAMPLE_START - 80_000_000,
	kind: 'agent.message',
	title: 'message',
	excerpt: '…the login waits for the database, and the database waits…',
};

function world(): World {
	const sample = sampleWorld({
		rules: RULES,
		found: { unsearched: 0, words: 'database', hits: [HIT, { ...HIT, offset: 9, kind: 'tool.post' }] },
	});
	return { ...sample, sessions: [...sample.sessions, AWAY, ELSEWHERE] };
}

const type = (text: string) => [...text].map((letter) => (letter === ' ' ? 'space' : letter));
const run = (command: string) => [':', ...type(command), 'enter'];

const SCENES: readonly (readonly [name: string, keys: readonly string[]])[] = [
	['sessions', [...run('sessions'), 'p']],
	['sessions-archived', [...run('sessions'), 'v']],
	['sessions-rename', [...run('sessions'), 'r', 'ctrl+w', ...type('true')]],
	['help-sessions', [...run('sessions'), '?']],
	['help-past', [...run('past'), '?']],
	['sessions-filtered', [...run('sessions'), 'p', '/', ...type('codex')]],
	['rules', run('rules')],
	['rules-add', [...run('rules'), '+', 'down', 'down', ...type('git push *')]],
	['rules-remove', [...run('rules'), 'x']],
	['rules-test', [...run('rules'), 't', ...type('{"command": 1'), 'enter']],
	['palette-theme', [':', ...type('theme ')]],
	['palette-unknown', run('flarb')],
	['help-rules', [...run('rules'), '?']],
	['search-all', ['S']],
	['feed-search', ['/', ...type('build'), 'enter', 'n']],
	['feed-cleared', run('clear')],
];

const VARIANTS = SCENE_SIZES.slice(0, 2).flatMap((size) => [false, true].map((ascii) => ({ ...size, ascii })));

describe.each(VARIANTS)('at $columns x $rows, ascii $ascii', (style) => {
	it.each(SCENES)('%s matches its golden screen', async (name, keys) => {
		const tui = pressed(keys, style);
		using terminal = await drawScene(tui.scene(), style);
		expect(terminal.text()).toBe(goldenScreen(`panel-${name}`, terminal, { ascii: style.ascii }));
	});
});

describe.each(VARIANTS)('at a hub, $columns x $rows, ascii $ascii', (style) => {
	it.each([
		['hub-waiting', ['esc', 'w', 'down'], false],
		['hub-waiting-elsewhere', ['w'], true],
		['hub-feed', [], true],
		['help-runners', ['H', '?'], true],
	] as const)('%s matches its golden screen', async (name, keys, isIdle) => {
		const tui = openHeadlessTui({ ...world(), ...sampleHub(), asks: isIdle ? [] : [samplePermission()] }, style);
		tui.press(...keys);
		using terminal = await drawScene(tui.scene(), style);
		expect(terminal.text()).toBe(goldenScreen(`panel-${name}`, terminal, { ascii: style.ascii }));
	});
});

describe('panels on the smallest screen', () => {
	it.each(SCENES)('%s keeps the header in place without scrolling', async (_, keys) => {
		const size = { columns: 60, rows: 12 };
		using terminal = await drawScene(pressed(keys, size).scene(), size);
		expect(terminal.screen()[0]).toContain('roost');
		expect(terminal.scrolledLines()).toBe(0);
	});
});

function pressed(keys: readonly string[], size: { columns: number; rows: number }): HeadlessTui {
	const tui = openHeadlessTui(world(), size);
	tui.press(...keys);
	return tui;
}
