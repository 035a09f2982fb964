// Differential: every command that bash really runs must be among the parts that are read, or the line must have an obstacle.
import { readCommand } from '/work/main/src/gates/permission/command/read-command.ts'
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
const A=['a','b','rm','ls','x','"','\'','\\','$','`','(',')','{','}',';','&','|','<','>','\n',' ',' ',' ','#','*','?','[',']','~','!','=','$(','<<','E','${','$\'','$"','&&','||','if ','then ','fi ','for i in ','do ','done ','case ',' in ','esac ',';;','((','))','[[ ',' ]]','time ','! ','coproc ','function f ','f()','-c','1','2','>&','<<<','\\\n','\t',',','..','%','^','@','+','-','x=','+=',':','/dev/null','select ','while ','until ','elif ','else ','{ ',' }','\\x6d','\\\\','<(','|&','&>','~+','$x','$1','#!','E\n']
let seed=Number(process.argv[2]||1);const rnd=()=>{seed=(seed*1664525+1013904223)>>>0;return seed/2**32}
const N=Number(process.argv[3]||4000)
const pick=(a:any[])=>a[Math.floor(rnd()*a.length)]
const Q=["'",'"','\\','$','#','a','b','x',' ','\n',';','&','|','`','(',')','<','>','*','{','}',',','!','\\\n']
const word=():string=>{let s='';const n=1+Math.floor(rnd()*3);for(let i=0;i<n;i++){const k=rnd();if(k<.35)s+=pick(['a','b','rm','ls','x1','-c','=','#','!','{','}','$','~','^','%',',']);else if(k<.5)s+="'"+inner("'")+"'";else if(k<.65)s+='"'+inner('"')+'"';else if(k<.75)s+='\\'+pick(Q);else if(k<.82)s+="$'"+pick(['\\x72','\\162m','\\u0072',"\\'",'a','\\n','\\cA','\\0','\\x0a','\\x72\\x6d','\\e','\\"','\\?','\\1622','\\x{72}','\\U00000072'])+pick(['','m'])+"'";else if(k<.86)s+='$"'+inner('"')+'"';else if(k<.9)s+=pick(['{a,b}','{a..c}','{,x}','{a,b','{a}','[a]','*']);else s+=pick(['a','\\\n'])}return s}
function inner(q:string){let s='';const n=Math.floor(rnd()*4);for(let i=0;i<n;i++){const c=pick(Q);if(c===q)continue;s+=(q==='"'&&(c==='$'||c==='`'))?'\\'+c:c}if(q==='"'&&/(^|[^\\])(\\\\)*\\$/.test(s))s+='n';return s}
const cmd=():string=>{let s=word();const n=Math.floor(rnd()*3);for(let i=0;i<n;i++)s+=pick([' ','  ','\t',' \\\n'])+word();if(rnd()<.15)s+=pick([' >/dev/null',' 2>&1',' </dev/null','<<<'+word(),' #'+word(),' >&2',' 2>/dev/null']);if(rnd()<.1){const d=pick(['E',"'E'",'"E"','E\\','-E','E"F"','\\E']);const t=d.replace(/['"\\]/g,'').replace(/^-/,'');s+=' <<'+d+pick(['',' && b',' | b',' ; b'])+'\n'+pick(['','a '+word()+'\n','rm x\n',' E\n','\tE\n','E \n','x\\\n'])+(rnd()<.85?t+'\n':'')}return s}
const list=(d:number):string=>{let s=d>2||rnd()<.6?cmd():pick([()=>'('+list(d+1)+')',()=>'{ '+list(d+1)+'; }',()=>'if '+list(d+1)+'; then '+list(d+1)+'; fi',()=>'for i in a b; do '+list(d+1)+'; done',()=>'case '+word()+' in '+word()+') '+list(d+1)+';; esac',()=>'! '+list(d+1),()=>'time '+list(d+1),()=>'if ! '+list(d+1)+'; then b; else '+list(d+1)+'; fi'])();if(rnd()<.5)s+=pick([' && ',' || ','; ','\n',' | ',' & ','|&',';','&'])+list(d+1);return s}
const lines:string[]=[];for(let i=0;i<N;i++)lines.push(list(0))
const dir=mkdtempSync('/tmp/unb/fz-')
// bash driver: each line run in a subshell with an empty PATH; command_not_found_handle reports words
const driver=`
PATH=/nonexistent
command_not_found_handle() { local IFS=$'\\x1f'; builtin printf 'C\\x1f%s\\x1e' "$*" >&9; return 127; }
`
let bad=0,okc=0,runs=0
const B=50
for(let i=0;i<N;i++){
  const r=spawnSync('/bin/bash',['--norc','-c',`${driver}\neval "$LINE" 9>&9`],{cwd:dir,env:{LINE:lines[i],PATH:'/nonexistent'} as any,stdio:['ignore','ignore','ignore','ignore','ignore','ignore','ignore','ignore','ignore','pipe'],timeout:2000})
  const out=(r.output?.[9] as any as Buffer)?.toString('utf8')??''
  const ran=out.split('\x1e').filter(Boolean).map(x=>x.split('\x1f').slice(1))
  const reading=await readCommand(lines[i])
  if(ran.length) runs++
  if(reading.obstacles.length) continue
  okc++
  const flat=(p:any):any[]=>[p,...p.inner.flatMap((q:any)=>flat(q.part))]
  const parts=reading.parts.flatMap(flat)
  for(const w of ran){
    const found=parts.some(p=>{ // words equal, unknown words are wild
      const ws=p.words
      if(ws.some((x:any)=>x.value===undefined)){const k=ws.findIndex((x:any)=>x.value===undefined);return ws.slice(0,k).every((x:any,j:number)=>x.value===w[j])&&(w[k]===undefined||w[k].startsWith(ws[k].start)||!!ws[k].glob||ws[k].start==='')}
      return ws.length===w.length&&ws.every((x:any,j:number)=>x.value===w[j])})
    if(!found){bad++;console.log('MISS',JSON.stringify(lines[i]),'ran',JSON.stringify(w),'parts',JSON.stringify(parts.map(p=>p.words.map((x:any)=>x.value??('?'+x.start)))))}
  }
}
console.log({N,runs,okc,bad})
