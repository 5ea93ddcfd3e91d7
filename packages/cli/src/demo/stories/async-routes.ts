// A long refactoring: forty files, a model error in the middle, and a second attempt.
import { sessionId } from '@roost/protocol/ids';
import type { Story } from '../open-demo.ts';
import type { StoryAgent } from '../story-agent.ts';
import { bash, edit, grep, read, todos, tokens } from './work.ts';

const AREAS = ['accounts', 'billing', 'catalogue', 'search', 'shipping'] as const;
const HANDLERS = ['list', 'show', 'create', 'update', 'remove', 'archive', 'restore', 'export'] as const;
const PLAN = AREAS.map((area) => [`Move ${area} to async`, `Moving ${area}`] as const);

export const asyncRoutes: Story = {
	id: sessionId.parse('kestrel'),
	model: 'claude-sonnet-5',
	permissionMode: 'acceptEdits',
	beganAgoMs: 55_000,
	async play(agent) {
		await agent.begin();
		await agent.receive(
			'Move all route handlers from callbacks to async functions, area by area. Run the tests after each file.',
		);
		await agent.call(
			grep(
				'callback\\(',
				AREAS.map((area) => `src/${area}`),
			),
		);
		for (const [done, area] of AREAS.entries()) {
			await agent.call(todos(PLAN, done));
			await moveArea(agent, area);
			if (area === 'search') await giveUpOnce(agent);
		}
		await agent.call(todos(PLAN, PLAN.length));
		await agent.say(`All ${AREAS.length * HANDLERS.length} handlers are async now, and every test passes.`);
		await agent.stop();
		await agent.leave();
	},
};

async function moveArea(agent: StoryAgent, area: string): Promise<void> {
	await agent.say(`Now ${area}: ${HANDLERS.length} handlers, each of them read, changed and tested.`);
	for (const handler of HANDLERS) await moveHandler(agent, `src/${area}/${handler}.ts`, handler);
	agent.spend(tokens(4_200, 2_600, 48_000));
}

async function moveHandler(agent: StoryAgent, file: string, handler: string): Promise<void> {
	const before = `export function ${handler}(request, callback) {\n  load(request.id, (error, row) => callback(error, row));\n}`;
	const after = `export async function ${handler}(request) {\n  return await load(request.id);\n}`;
	await agent.call({ ...read(file, before), takesMs: 60 });
	await agent.call({ ...edit(file, before, after), takesMs: 70 });
	const test = file.replace('src/', 'test/').replace('.ts', '.test.ts');
	await agent.call({ ...bash(`npm test -- ${test}`, 'Test this file', ' 4 passed'), takesMs: 640 });
}

async function giveUpOnce(agent: StoryAgent): Promise<void> {
	await agent.fail('the model is overloaded: try again in a moment');
	await agent.pause(2_500);
	await agent.receive('Continue where you left off.');
}
