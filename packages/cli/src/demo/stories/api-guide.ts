// Work that takes minutes: a guide to every route, each looked up by a subagent and then written.
import { sessionId } from '@roost/protocol/ids';
import type { Story } from '../open-demo.ts';
import type { StoryAgent } from '../story-agent.ts';
import { bash, grep, read, todos, tokens } from './work.ts';

const AREAS = [
	...['accounts', 'baskets', 'billing', 'catalogue', 'exports', 'invoices', 'login'],
	...['orders', 'payments', 'reports', 'search', 'shipping', 'stock', 'users'],
];
const ROUTES = ['list', 'show', 'create', 'update', 'remove'] as const;
const PLAN = AREAS.map((area) => [`Describe ${area}`, `Describing ${area}`] as const);

export const apiGuide: Story = {
	id: sessionId.parse('stork'),
	model: 'claude-haiku-4-5',
	permissionMode: 'acceptEdits',
	beganAgoMs: 40_000,
	async play(agent) {
		await agent.begin();
		await agent.receive('Write a guide to our API, with examples.');
		for (const [done, area] of AREAS.entries()) {
			await agent.call(todos(PLAN, done));
			await describeArea(agent, area);
		}
		await agent.call(todos(PLAN, PLAN.length));
		await agent.say(
			`The guide has ${AREAS.length} pages and ${AREAS.length * ROUTES.length} examples, and every example was run.`,
		);
		await agent.stop();
	},
};

async function describeArea(agent: StoryAgent, area: string): Promise<void> {
	const found = `${ROUTES.length} routes, all of them behind a login.`;
	const task = {
		id: `scout-${area}`,
		type: 'Explore',
		description: `Find the routes of ${area}`,
		prompt: `Which routes has ${area}?`,
		found,
	};
	await agent.delegate(task, async (scout) => {
		await scout.call({ ...grep(`/${area}`, [`src/${area}/routes.ts`]), takesMs: 900 });
		await scout.call({
			...read(`src/${area}/routes.ts`, ROUTES.map((route) => `router.use(${route});`).join('\n')),
			takesMs: 700,
		});
	});
	agent.spend(tokens(1_200, 300, 9_000));
	for (const route of ROUTES) {
		const command = `curl -s localhost:3000/${area}/${route}`;
		await agent.call({ ...bash(command, 'Try the route', '{"ok":true}'), takesMs: 1_900 });
		await agent.say(`\`/${area}/${route}\` answers as the types say. I keep this reply as the example.`);
	}
	const content = `# ${area}\n\n${ROUTES.map((route) => `- \`/${area}/${route}\``).join('\n')}\n`;
	await agent.call({ tool: 'Write', input: { file_path: `docs/api/${area}.md`, content }, response: { type: 'create' } });
	agent.spend(tokens(3_100, 1_900, 42_000));
}
