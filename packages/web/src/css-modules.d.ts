// CSS Modules: the names of classes.
declare module '*.module.css' {
	const classes: Readonly<Record<string, string>>;
	export default classes;
}
declare module '*.css';
