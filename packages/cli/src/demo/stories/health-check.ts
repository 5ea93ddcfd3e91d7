// A bug fix: reading, delegating, requests, a failed test, and a denied command.
import { sessionId } from '@roost/protocol/ids';
import type { Story } from '../open-demo.ts';
import type { StoryAgent, StoryCall } from '../story-agent.ts';
import { bash, edit, grep, read, todos, tokens } from './work.ts';

const PLAN = [
	['Read the health route and who uses it', 'Reading the health route'],
	['Ask the database before answering 200', 'Asking the database'],
	['Add a test', 'Adding a test'],
	['Publish the branch', 'Publishing the branch'],
] as const;

export const ROUTE = `import { db } from './db.ts';
import { ok } from './replies.ts';

export async function health(): Promise<Reply> {
  return ok({ uptime: process.uptime() });
}`;

export const FIX: StoryCall = {
	...edit(
		'src/health.ts',
		`import { ok } from './replies.ts';

export async function health(): Promise<Reply> {
  return ok({ uptime: process.uptime() });
}`,
		`import { ok, unavailable } from './replies.ts';

export async function health(): Promise<Reply> {
  const isUp = await db.ping({ timeoutMs: 500 });
  if (!isUp) return unavailable('the database does not answer');
  return ok({ uptime: process.uptime() });
}`,
	),
	asks: true,
	awaitsUser: true,
};

const TESTS: StoryCall = {
	...bash('npm test', 'Run the tests', ' 42 passed\n\n Test Files  9 passed\n      Tests  42 passed\n   Duration  2.11s'),
	asks: true,
	takesMs: 2_100,
};

const FAILED = `Exit code 1
 FAIL  test/health.test.ts > answers 503 while the database is down
AssertionError: expected 200 to be 503

  - 503
  + 200

   18|   const reply = await get('/health');
   19|   expect(reply.status).toBe(503);
     |                        ^
 41 passed, 1 failed`;

export const healthCheck: Story = {
	id: sessionId.parse('wren'),
	model: 'claude-opus-5',
	permissionMode: 'default',
	beganAgoMs: 3_000,
	async play(agent) {
		await agent.begin();
		await agent.receive('The health check answers 200 while the database is down. Fix it and add a test.');
		await lookAround(agent);
		if (!(await fix(agent))) return;
		await prove(agent);
		await publish(agent);
		await agent.stop();
	},
};

async function lookAround(agent: StoryAgent): Promise<void> {
	await agent.say('I will read the route first, then its callers.');
	await agent.call(todos(PLAN, 0));
	await agent.call(read('src/health.ts', ROUTE));
	agent.spend(tokens(2_900, 340, 14_200));
	const found = 'Two callers: the load balancer check in `src/health.ts`, and `src/cache.ts`, which drops its entries on a 503.';
	const task = { id: 'scout', type: 'Explore', description: 'Find every caller', prompt: 'Who relies on /health?', found };
	await agent.delegate(task, async (scout) => {
		await scout.call(grep('health\\(', ['src/health.ts', 'src/routes.ts', 'src/cache.ts']));
		await scout.call(read('src/cache.ts', "export async function refresh() {\n  const reply = await get('/health');\n}"));
		await scout.call(read('src/routes.ts', "router.get('/health', health);"));
	});
	agent.spend(tokens(1_800, 410, 19_600));
}

/** False if the user interrupted the agent. */
async function fix(agent: StoryAgent): Promise<boolean> {
	await agent.call(todos(PLAN, 1));
	await agent.say('The route never asks the database. I will make it ping first, with a timeout of half a second.');
	const fixed = await agent.call(FIX);
	if (fixed.isDone) return true;
	await agent.say('Understood. I leave `src/health.ts` as it is. Tell me how you would like it done.');
	await agent.stop(fixed.interrupted);
	return false;
}

async function prove(agent: StoryAgent): Promise<void> {
	await agent.call(todos(PLAN, 2));
	await agent.call({ ...TESTS, error: FAILED });
	await agent.say('The new test still sees 200: it reads the reply of the *cached* route. The test has to go around the cache.');
	await agent.call({ ...edit('test/health.test.ts', "get('/health')", "get('/health', { cache: 'no-store' })"), asks: true });
	await agent.call({ ...TESTS, takesMs: 2_300 });
	agent.spend(tokens(3_400, 1_250, 31_500));
}

async function publish(agent: StoryAgent): Promise<void> {
	await agent.call(todos(PLAN, 3));
	await agent.call({ ...bash('git push --force origin main', 'Publish', ''), asks: true });
	await agent.say('Force-pushing to `main` is not allowed here. I will push a branch instead.');
	const pushed = await agent.call({
		...bash('git push -u origin fix/health-check', 'Publish the branch', ' * [new branch]  fix/health-check -> fix/health-check'),
		asks: true,
	});
	if (pushed.isDone) await agent.call(todos(PLAN, PLAN.length));
	agent.spend(tokens(900, 380, 33_000));
	const end = pushed.isDone ? 'The branch `fix/health-check` is pushed.' : 'I did not push the branch.';
	await agent.say(`Done: the check answers **503** while the database is down, and a test proves it. ${end}`);
}
