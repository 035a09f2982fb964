// Differential: every command that bash really runs must be among the parts that are read, or the line must have an obstacle.
import { readCommand } from '/work/main/src/gates/permission/command/read-command.ts'
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
const A=['a','b','rm','ls','x','"','\'','\\','$','`','(',')','{','}',';','&','|','<','>','\n',' ',' ',' ','#','*','?','[',']','~','!','=','$(','<<','E','${','$\'','$"','&&','||','if ','then ','fi ','for i in ','do ','done ','case ',' in ','esac ',';;','((','))','[[ ',' ]]','time ','! ','coproc ','function f ','f()','-c','1','2','>&','<<<','\\\n','\t',',','..','%','^','@','+','-','x=','+=',':','/dev/null','select ','while ','until ','elif ','else ','{ ',' }','\\x6d','\\\\','<(','|&','&>','~+','$x','$1','#!','E\n']
let seed=Number(process.argv[2]||1);const rnd=()=>{seed=(seed*1664525+1013904223)>>>0;return seed/2**32}
const N=Number(process.argv[3]||4000)
const lines:string[]=[];for(let i=0;i<N;i++){const n=2+Math.floor(rnd()*14);let s='';for(let j=0;j<n;j++)s+=A[Math.floor(rnd()*A.length)];lines.push(s)}
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
