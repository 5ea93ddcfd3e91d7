// CSS Modules: the names of classes.
declare module '*.module.css' {
	const classes: Readonly<Record<string, string>>;
	export default classes;
}
declare module '*.css';
/** The address of a worker's script. */
declare module '*?worker&url' {
	const url: string;
	export default url;
}
