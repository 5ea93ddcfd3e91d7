// Runs every cell for one agent and compares the results with the stored matrix; with ROOST_UPDATE_MATRIX it stores them.
import { writeFile } from 'node:fs/promises';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CELLS, type Cell, clearScene, type Scene } from './cells.contract.ts';
import { type CellOutcome, MATRIX_PLACE, readMatrix } from './matrix.ts';
import { conformanceScript } from './script.contract.ts';
import type { AgentStage } from './stage.contract.ts';

const IS_UPDATE = process.env.ROOST_UPDATE_MATRIX === '1';
const CELL_MS = 240_000;

/** `place`: the file of the stored matrix. */
export function describeConformance(stage: AgentStage, place: URL = MATRIX_PLACE): void {
	describe.skipIf(cannotRun([stage.requirement]))(`${stage.title} conformance`, () => {
		const seen = new Map<string, CellOutcome>();
		let scene: Scene;
		beforeAll(async () => {
			const rig = await stage.open({ script: conformanceScript(stage.words) });
			scene = { stage, rig, cwd: rig.project };
		});
		afterAll(async () => {
			await scene?.rig[Symbol.asyncDispose]();
			if (IS_UPDATE) await writeDown(stage, seen, place);
		});

		it.each(CELLS)('$id', { timeout: CELL_MS }, async (cell) => {
			await clearScene(scene);
			const outcome = await prove(cell, scene);
			seen.set(cell.id, outcome);
			if (!IS_UPDATE) expect(outcome).toEqual(readMatrix(place).agents[stage.id]?.cells[cell.id]);
		});

		it.skipIf(IS_UPDATE)('matches the version recorded in the matrix', async () => {
			expect(readMatrix(place).agents[stage.id]?.version).toBe(await stage.version());
		});
	});
}

/** While updating, a failure is stored as an outcome; otherwise it is thrown. */
async function prove(cell: Cell, scene: Scene): Promise<CellOutcome> {
	try {
		return await cell.prove(scene);
	} catch (cause) {
		if (!IS_UPDATE) throw cause;
		return { outcome: 'fail', reason: String(cause).split('\n')[0] ?? '' };
	}
}

async function writeDown(stage: AgentStage, seen: ReadonlyMap<string, CellOutcome>, place: URL): Promise<void> {
	const known = readMatrix(place);
	const row = { title: stage.title, version: await stage.version(), cells: Object.fromEntries(seen) };
	const columns = CELLS.map(({ id, title }) => ({ id, title }));
	const agents = Object.fromEntries(
		Object.entries({ ...known.agents, [stage.id]: row }).sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b)),
	);
	await writeFile(place, `${JSON.stringify({ columns, agents }, null, '\t')}\n`);
}

/** Agents with their own adapter first, then the generic protocol. */
function rank(id: string): number {
	return id === 'acp' ? 1 : 0;
}
