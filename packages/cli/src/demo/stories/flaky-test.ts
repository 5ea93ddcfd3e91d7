// A run that failed: the model gave up while the agent was looking for a cause.
import { sessionId } from '@roost/protocol/ids';
import type { Story } from '../open-demo.ts';
import { bash, grep, read, todos, tokens } from './work.ts';

const PLAN = [
	['Make the test fail on purpose', 'Repeating the test'],
	['Find the race', 'Finding the race'],
	['Fix it and repeat a hundred times', 'Repeating a hundred times'],
] as const;

const FAILED = `Exit code 1
 FAIL  test/checkout.test.ts > charges a basket once
AssertionError: expected 2 to be 1
 7 of 50 runs failed`;

const BASKET = `export async function charge(basket: Basket) {
  if (basket.paid) return;
  await pay(basket.total);
  basket.paid = true;
}`;

export const flakyTest: Story = {
	id: sessionId.parse('robin'),
	model: 'claude-sonnet-5',
	permissionMode: 'acceptEdits',
	beganAgoMs: 6 * 60_000,
	async play(agent) {
		await agent.begin();
		await agent.receive('Find out why the checkout test is flaky.');
		await agent.call(todos(PLAN, 0));
		await agent.call({ ...bash('npm test -- checkout --repeat 50', 'Repeat the test', ''), error: FAILED, takesMs: 4_800 });
		await agent.call(todos(PLAN, 1));
		await agent.call(grep('paid', ['src/basket.ts', 'src/checkout.ts']));
		await agent.call(read('src/basket.ts', BASKET));
		agent.spend(tokens(5_200, 1_000, 21_400));
		await agent.say('Seven of fifty runs charge twice: two requests pass the check before either of them has paid.');
		await agent.fail('the model is overloaded: try again in a moment');
	},
};
