import { feedEvent } from '@roost/protocol/feed/event';
import { describe, expect, it } from 'vitest';
import { ROOT_AGENT, toSubagentActor, USER } from '../feed/entities.ts';
import { actorName, actorOf, depthOf } from './actor-names.ts';
import { createActors, startSubagent } from './actors.ts';

describe('actor of an entry', () => {
	it('has a depth below the root agent', () => {
		const actors = family('scout', 'reader', 'third', 'fourth', 'fifth');
		const depths = [USER, ROOT_AGENT, ...['scout', 'reader', 'fifth', 'never-seen'].map(toSubagentActor)];
		expect(depths.map((id) => depthOf(id, actors))).toEqual([0, 0, 1, 2, 4, 1]);
	});

	it('has a name with enough of its id to distinguish two of the same type', () => {
		const actors = family('a3f8c219d', 'b7');
		expect(actorName(toSubagentActor('a3f8c219d'), actors)).toBe('Explore a3f8c2');
		expect(actorName(toSubagentActor('b7'), actors)).toBe('Explore b7');
		expect(actorName(toSubagentActor('unknown-one'), actors)).toBe('unknow');
		expect(actorName(ROOT_AGENT, actors)).toBe('agent');
	});

	it('is the actor that made the request, not the one that reported it', () => {
		const data = { tool_name: 'Bash', tool_input: {}, risk: 'low' };
		expect(actorOf(event('permission.request', { ...data, requested_by: 'subagent:a' }))).toBe('subagent:a');
		expect(actorOf(event('permission.request', data))).toBe('system');
	});
});

/** Each is started by the previous one. */
function family(...ids: string[]) {
	const actors = createActors();
	let parent: string = ROOT_AGENT;
	for (const id of ids) {
		const started = event('subagent.start', { agent_id: id, agent_type: 'Explore' }, parent);
		if (started.kind === 'subagent.start') startSubagent(actors, started);
		parent = toSubagentActor(id);
	}
	return actors;
}

function event(kind: string, data: object, actor = 'system') {
	const base = { event_id: 's:R1:E1', seq: 1, ts: 0, session_id: 's', run_id: 's:R1', level: 'info', title: kind };
	return feedEvent.parse({ ...base, actor_id: actor, kind, data });
}
