import type { World } from '@roost/client/world/world';
import { actorId } from '@roost/protocol/ids';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { tasksPane } from './tasks.ts';

const styles = plainStyles();

function text(world: World, width = 80, height = 20): string {
	return toText(tasksPane.draw(tasksPane.start(world), world, { width, height, styles }).rows, width);
}

describe('tasks pane', () => {
	it('groups tasks by actor with progress, the current task first', () => {
		expect(text(sampleWorld(), 40)).toMatchInlineSnapshot(`
			"agent                   1 of 3 ███░░░░░
			  ◐ Answer 503 when the database is gone
			  ☐ Build and look at the output
			  ☑ Read the health check"
		`);
	});

	it('lists tasks of the root agent before those of subagents', () => {
		const todo = (seq: number, actor: string) => ({
			...sampleEvent('k3f9', seq, { kind: 'todo.add', data: { todo_id: `t${seq}`, text: `todo ${seq}` } }),
			actor_id: actorId.parse(actor),
		});
		const open = sampleOpen([todo(1, 'subagent:a1'), todo(2, 'agent:root'), todo(3, 'subagent:a1')]);
		const lines = text(sampleWorld({ open }), 30).split('\n');
		expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['agent', '☐', 'a1', '☐', '☐']);
	});

	it('reports when there are no tasks or no session is open', () => {
		expect(text(sampleWorld({ open: sampleOpen([]) }))).toContain('No tasks');
		expect(text(sampleWorld({ open: null }))).toContain('No session is open.');
	});

	it('scrolls to the end and goes back', () => {
		const world = sampleWorld();
		const room = { width: 30, height: 2, styles };
		const end = tasksPane.act(tasksPane.start(world), 'bottom', world, room).state;
		expect(toText(tasksPane.draw(end, world, room).rows, 30)).toContain('Read the health check');
		expect(tasksPane.act(end, 'back', world, room).go).toBe('back');
	});
});
