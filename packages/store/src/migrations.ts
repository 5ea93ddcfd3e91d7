// Versions of a database file: each kind of file has an id of its own, and its steps are applied in order.
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '@roost/protocol/app-error';
import { numberOf } from './row-values.ts';
import { inTransaction } from './transaction.ts';

export type FileSchema = {
	/** Marks a file as one of this kind. */
	applicationId: number;
	/** One step per schema version; a step that was released is never changed. */
	steps: readonly (string | ((db: DatabaseSync) => void))[];
};

/** Applies the missing steps, each in one transaction. */
export function migrateFile(db: DatabaseSync, path: string, { applicationId, steps }: FileSchema): void {
	for (let version = knownVersion(db, path, { applicationId, steps }); version < steps.length; version++) {
		inTransaction(db, 'write', () => {
			const step = steps[version] ?? '';
			if (typeof step === 'string') db.exec(step);
			else step(db);
			db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}`);
		});
	}
}

/** The version of the file; 0 when it is new. Another program's file, or a newer Roost's, is refused. */
export function knownVersion(db: DatabaseSync, path: string, { applicationId, steps }: FileSchema): number {
	const version = pragma(db, 'user_version');
	const owner = pragma(db, 'application_id');
	const isEmpty = version === 0 && owner === 0 && countTables(db) === 0;
	if (!isEmpty && owner !== applicationId) {
		const problem = `${path} is a database of another program`;
		throw new AppError('corrupt', `${problem}. Choose another path, or move that file away.`);
	}
	if (version > steps.length) throw newerSchema(path, version, steps.length);
	return version;
}

export function newerSchema(place: string, version: number, known: number): AppError {
	const problem = `${place} has schema version ${version}, and this Roost supports versions up to ${known}`;
	return new AppError('schema_too_new', `${problem}. Update Roost to read it.`);
}

function pragma(db: DatabaseSync, name: string): number {
	return numberOf(db.prepare(`PRAGMA ${name}`).get() ?? {}, name);
}

function countTables(db: DatabaseSync): number {
	return numberOf(db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() ?? {}, 'tables');
}
