import type { World } from '@roost/client/world/world';
import { ROOT_AGENT, SYSTEM } from '@roost/core/feed/entities';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleOpen, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { actorsPane } from './actors.ts';

const styles = plainStyles();

function text(world: World, width = 80, height = 20): string {
	return toText(actorsPane.draw(actorsPane.start(world), world, { width, height, styles }).rows, width);
}

describe('actors pane', () => {
	it('lists actors below their parent with calls, state and age', () => {
		expect(text(sampleWorld())).toMatchInlineSnapshot(`
			"❯ you
			● agent                                         3 calls  1 failed  working  58s
			└ ○ Explore a1                                                1 call  done  49s"
		`);
	});

	it('fits beside the feed', () => {
		expect(text(sampleWorld(), 36)).toMatchInlineSnapshot(`
			"❯ you
			● agent            3  1 failed  58s
			└ ○ Explore a1               1  49s"
		`);
		expect(text(sampleWorld(), 24)).toMatchInlineSnapshot(`
			"❯ you
			● agent       3 ✗1  58s
			└ ○ Explore a1   1  49s"
		`);
	});

	it('shows an actor with a pending request as waiting', () => {
		const { id } = samplePermission();
		const question = sampleEvent('k3f9', 1, { kind: 'question.request', data: { ask_id: id, questions: [] } });
		const wanted = { ask_id: id, tool_name: 'Bash', tool_input: {}, risk: 'low', requested_by: ROOT_AGENT } as const;
		const permission = sampleEvent('k3f9', 1, { kind: 'permission.request', data: wanted });
		for (const request of [question, { ...permission, actor_id: SYSTEM }]) {
			expect(text(sampleWorld({ open: sampleOpen([request]) })), request.kind).toMatch(/◐ agent.*waiting for you/);
		}
	});
});
