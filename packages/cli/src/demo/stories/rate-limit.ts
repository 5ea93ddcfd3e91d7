// A feature with open decisions: the agent asks two questions and builds what was answered.
import { sessionId } from '@roost/protocol/ids';
import type { Story } from '../open-demo.ts';
import type { StoryAgent } from '../story-agent.ts';
import { bash, grep, read, todos, tokens } from './work.ts';

const PLAN = [
	['Find the public routes', 'Finding the public routes'],
	['Decide where to store the counters', 'Deciding where to store the counters'],
	['Write the limiter', 'Writing the limiter'],
	['Try it with two hundred requests', 'Trying it'],
] as const;

const WHERE = 'Where should the counters be stored?';
const WHICH = 'Which routes need a limit first?';

const QUESTIONS = [
	{
		question: WHERE,
		header: 'Counters',
		multiSelect: false,
		options: [
			{ label: 'Redis', description: 'Shared by all instances; one more thing to run' },
			{ label: 'Postgres', description: 'Already there; a write for every request' },
			{ label: 'In memory', description: 'Nothing to run; each instance counts for itself' },
		],
	},
	{
		question: WHICH,
		header: 'Routes',
		multiSelect: true,
		options: [
			{ label: '/login', description: '5 a minute for each address' },
			{ label: '/search', description: '60 a minute for each user' },
			{ label: '/export', description: '2 an hour for each user' },
		],
	},
];

export const rateLimit: Story = {
	id: sessionId.parse('heron'),
	model: 'claude-sonnet-5',
	permissionMode: 'acceptEdits',
	beganAgoMs: 4_000,
	async play(agent) {
		await agent.begin();
		await agent.receive('Add a rate limit to the public API. Ask me if you are not sure.');
		await agent.say('I will find the public routes first.');
		await agent.call(todos(PLAN, 0));
		await agent.call(grep('router\\.(get|post)', ['src/routes.ts', 'src/admin/routes.ts']));
		await agent.call(
			read('src/routes.ts', "router.post('/login', login);\nrouter.get('/search', search);\nrouter.get('/export', dump);"),
		);
		agent.spend(tokens(2_100, 260, 11_800));
		await agent.call(todos(PLAN, 1));
		await agent.say('There are three, with very different traffic. I need two decisions from you.');
		await agent.pause(15_000);
		const { answers, isDone } = await agent.call({ tool: 'AskUserQuestion', input: { questions: QUESTIONS }, awaitsUser: true });
		await build(agent, isDone ? answers : {});
	},
};

async function build(agent: StoryAgent, answers: Readonly<Record<string, string>>): Promise<void> {
	const where = answers[WHERE] || 'In memory';
	const which = answers[WHICH] || '/login';
	const chosen = answers[WHERE] || answers[WHICH] ? 'Thank you.' : 'Without an answer I pick what is easiest to undo.';
	await agent.say(`${chosen} The counters are stored in: ${where}. Limited first: ${which}.`);
	await agent.call(todos(PLAN, 2));
	await agent.call({
		tool: 'Write',
		input: { file_path: 'src/limit.ts', content: limiter(where, which) },
		response: { type: 'create' },
	});
	await agent.call(todos(PLAN, 3));
	await agent.call({
		...bash('npm run hammer -- --requests 200', 'Send two hundred requests', '200 sent: 5 answered with 200, 195 with 429'),
		takesMs: 3_200,
	});
	await agent.call(todos(PLAN, PLAN.length));
	agent.spend(tokens(1_900, 1_480, 24_400));
	await agent.say(
		'The limiter is in `src/limit.ts`:\n\n- five requests pass, the rest is answered with **429**\n- the reply says when to come back',
	);
	await agent.stop();
}

function limiter(where: string, which: string): string {
	return `// Counters: ${where}
export const limits = ${JSON.stringify(which.split(', '))};

export function isOver(route: string, count: number): boolean {
  return limits.includes(route) && count > 5;
}
`;
}
