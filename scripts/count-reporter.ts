// Ends a test run with the line `N passed, M failed`. With CI=true a skipped test is a failure.
import type { Reporter, TestModule } from 'vitest/node';

export default class CountReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
		const states = modules.flatMap((module) => [...module.children.allTests()]).map((test) => test.result().state);
		const brokenModules = modules.filter((module) => module.errors().length > 0).length;
		const skipped = states.filter((state) => state === 'skipped').length;
		const strict = process.env.CI === 'true';
		const failed = states.filter((state) => state === 'failed').length + brokenModules + errors.length + (strict ? skipped : 0);
		const passed = states.filter((state) => state === 'passed').length;
		if (failed > 0) process.exitCode = 1;
		if (strict && skipped > 0) process.stdout.write(`${skipped} skipped, counted as failed because CI is set\n`);
		const tail = !strict && skipped > 0 ? `, ${skipped} skipped` : '';
		process.stdout.write(`\n${passed} passed, ${failed} failed${tail}\n`);
	}
}
