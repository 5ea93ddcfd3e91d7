// The folders a command may run in, according to the `cd` commands before it; relative to where the line starts.
import { normalisePath } from '../paths/normalise-path.ts';
import { type Form, fixed, fixedValue, type GuardWord, open } from '../shell/guard-word.ts';

/** `entered`: by which part of the line, counted from 0. */
export type Dir = Form & { entered: number };

/** Empty where it is never reached. */
export type Dirs = readonly Dir[];

/** The folders after a command that succeeded, and after one that failed. */
export type Way = { yes: Dirs; no: Dirs };

export const START: Dirs = [{ ...fixed(''), entered: -1 }];
const SOMEWHERE = open('');
const MAX_DIRS = 16;

export function always(dirs: Dirs): Way {
	return { yes: dirs, no: dirs };
}

export function union(left: Dirs, right: Dirs): Dirs {
	if (left === right) return left;
	const more = right.filter((form) => !left.some((each) => isSame(each, form)));
	if (more.length === 0) return left;
	return left.length + more.length > MAX_DIRS ? [{ ...SOMEWHERE, entered: -1 }] : [...left, ...more];
}

function isSame(one: Dir, other: Dir): boolean {
	return one.value === other.value && one.sure === other.sure && one.entered === other.entered;
}

/** `bare`: nothing but its words, so that neither a redirection nor an assignment can fail. `now`: which part of the line it is. */
type Move = { name: string; args: readonly GuardWord[]; bare: boolean; now: number };

/** Where a command leaves the shell. */
export function moveTo({ name, args, bare, now }: Move, dirs: Dirs): Way {
	switch (name) {
		case 'cd':
		case 'pushd':
			return { yes: enter(args, dirs, now), no: dirs };
		case 'popd':
			return { yes: [{ ...SOMEWHERE, entered: now }], no: dirs };
		case 'exit':
			return bare && isExit(args) ? { yes: [], no: [] } : always(dirs);
		case 'true':
		case ':':
			return bare && args.length === 0 ? { yes: dirs, no: [] } : always(dirs);
		case 'false':
			return { yes: [], no: dirs };
		default:
			return always(dirs);
	}
}

function isExit([status, ...more]: readonly GuardWord[]): boolean {
	return more.length === 0 && (status === undefined || /^\d+$/.test(fixedValue(status) ?? ''));
}

function enter(args: readonly GuardWord[], dirs: Dirs, now: number): Dirs {
	const [target, ...more] = args.filter((word) => !/^-[LPe@-]*$/.test(fixedValue(word) ?? '') || fixedValue(word) === '-');
	if (target === undefined || more.length > 0 || target.forms.some(({ value }) => NO_FOLDER.test(value)))
		return [{ ...SOMEWHERE, entered: now }];
	const forms = dirs.flatMap((dir) => target.forms.flatMap((form) => bothWays(below(dir, form))));
	return forms.reduce<Dirs>((all, form) => union(all, [{ ...form, entered: now }]), []);
}

/** The previous folder, or a place on the stack. */
const NO_FOLDER = /^(?:-|[-+]\d+)$/;

/** A shell drops a name and the `..` behind it; the system follows the link of the name. Both are possible. */
function bothWays(form: Form): Form[] {
	const value = normalisePath(form.value);
	return form.value.includes('..') ? [form, { ...form, value: value === '.' ? '' : value }] : [form];
}

/** A path relative to where the line starts. */
export function below(dir: Form, path: Form): Form {
	if (path.sure === 'fixed' && path.value.startsWith('/')) return path;
	if (!isPath(dir) || !isPath(path)) return SOMEWHERE;
	if (path.value.startsWith('/')) return path;
	const sure = dir.sure === 'fixed' && path.sure === 'fixed' ? 'fixed' : 'glob';
	return { value: dir.value === '' ? path.value : `${dir.value}/${path.value}`, sure };
}

export function isPath({ sure }: Form): boolean {
	return sure === 'fixed' || sure === 'glob' || sure === 'found';
}
