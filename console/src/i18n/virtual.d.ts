declare module 'virtual:texts/*' {
  const texts: readonly string[];
  export default texts;
}
