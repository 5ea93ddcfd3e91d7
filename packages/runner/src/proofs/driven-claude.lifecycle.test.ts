// The life of a session that Roost drives, with the real Claude: prompted, queued, interrupted, ended, taken up again.
import { createGate } from '@roost/testkit/fakes/gate';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import { openDrivenClaude } from '@roost/testkit/rigs/driven-claude';
import { describe, expect, it } from 'vitest';

describe('explore', () => {
	it('x', async () => {
		const gate = createGate();
		await using rig = await openDrivenClaude({
			script: async ({ lastUserText, toolResults }) => {
				if (lastUserText.endsWith('slow')) { return message([say('a','b')], {pace:{gate}}); }
				if (lastUserText.endsWith('call') && toolResults.length === 0) return message([callTool('Bash', { command: 'touch x', description: 'x' })]);
				return message([say('fi', 'ne')]);
			},
		});
		const story = await rig.start({ prompt: 'first' });
		await story.until('run.end');
		const step = async (name: string, f: () => Promise<unknown>) => { const before=(await story.facts()).length; const t=Date.now(); let r; try { r = await f(); } catch (e) { r = e } ; console.log(name, Date.now()-t, 'ms', JSON.stringify(r)?.slice(0,300), (await story.row()).status, JSON.stringify((await story.facts()).slice(before).map(({kind,data,actor_id})=>[kind,actor_id,JSON.stringify(data).slice(0,200)]), null, 1)); };
		console.log(JSON.stringify((await story.facts()).map(({kind,data})=>[kind,data]), null, 1));
		await step('again', () => story.say('again'));
		await step('call', async () => { await story.send('call'); await story.decide('allow'); return story.until('run.end', 3) });
		await step('cost', () => story.say('/cost'));
		await step('compact', () => story.say('/compact'));
		await step('unknown', () => story.say('/nosuch'));
		console.log(await story.row());
		await step('slow', async () => { await story.send('slow'); await story.interrupt(); });
		await step('end', async () => { await story.end(); });
		await step('resume', async () => { await story.say('after'); });
		console.log(await story.row(), JSON.stringify(rig.claude.model.requests.at(-1)?.messages));
	}, 120_000);
});
