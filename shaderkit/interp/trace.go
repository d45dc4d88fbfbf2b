package interp

import (
	"fmt"

	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/ir"
)

// A recorder collects what the lanes around the pick write.
type recorder struct {
	pick  exec.Pick
	trace *exec.Trace
	wave  *exec.Wave  // open; nil while the batch does not hold the pick
	base  uint        // lane of the batch that is lane 0 of the wave
	left  int         // writes that may still be recorded
	value [][8]uint32 // of each traced component
}

// Trace implements exec.Tracer.
func (e Engine) Trace(p *ir.Program, a *exec.Arena, desc uint32, pick exec.Pick, o exec.Options) (*exec.Trace, error) {
	k, err := e.compile(p, options{trace: true})
	if err != nil {
		return nil, err
	}
	t := &exec.Trace{}
	k.v.rec = &recorder{pick: pick, trace: t, left: exec.MaxWrites, value: make([][8]uint32, len(p.Traced))}
	t.Result = k.Run(a, desc, o)
	if p.Kind == ir.Linear && len(t.Waves) == 0 {
		return nil, fmt.Errorf("interp: pick-outside: item %d is not in the job", pick.Item)
	}
	return t, nil
}

// open begins a wave of n lanes, the first of which is lane base of the batch v is about to run.
func (r *recorder) open(v *vm, record, n int, base, pick uint) {
	r.trace.Waves = append(r.trace.Waves, exec.Wave{Record: record, Lanes: n, Pick: int(pick - base)})
	r.wave, r.base = &r.trace.Waves[len(r.trace.Waves)-1], base
	r.wave.First = r.bits(v.live)
	clear(r.value)
}

func (r *recorder) close(v *vm) {
	if r.wave != nil {
		r.wave.Live = r.bits(v.live)
		r.wave = nil
	}
}

// bits gives the lanes of the wave out of those of the batch.
func (r *recorder) bits(m uint64) uint8 { return uint8(m>>r.base) & uint8(1<<uint(r.wave.Lanes)-1) }

func (r *recorder) write(v *vm, in *inst) {
	if r.wave == nil {
		return
	}
	active := r.bits(v.active)
	if active == 0 {
		return
	}
	if r.left == 0 {
		r.trace.Truncated = true
		return
	}
	r.left--
	w := exec.Write{Traced: int32(in.imm), From: in.from, Depth: v.depth, Active: active, Live: r.bits(v.live)}
	if in.slot >= 0 {
		w.Trip = int32(v.slots[in.slot])
	}
	now := &r.value[in.imm]
	w.Old = *now
	for k := range uint(r.wave.Lanes) {
		if active>>k&1 != 0 {
			i := r.base + k
			now[k] = in.a[i>>2][i&3]
		}
	}
	w.New = *now
	r.wave.Writes = append(r.wave.Writes, w)
}
