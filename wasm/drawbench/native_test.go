package drawbench

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"swizzle/render/scene"
	"swizzle/shaderkit/exec"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/jit"
	"swizzle/shaderkit/jit/wazerohost"
)

// BenchmarkNative prints a table for each workload: the engines, jit under wazero, and Mesa's software
// drivers, all with one thread and Mesa without its shader cache.
func BenchmarkNative(b *testing.B) {
	files, err := filepath.Glob("testdata/w?.txtar")
	if err != nil || len(files) == 0 {
		b.Fatal("no workloads", err)
	}
	host, err := wazerohost.New()
	if err != nil {
		b.Fatal(err)
	}
	defer host.Close()
	program := filepath.Join(b.TempDir(), "mesa")
	if msg, err := osexec.Command("cc", "-O2", "-o", program, "testdata/mesa.c", "-lEGL", "-lGLESv2").CombinedOutput(); err != nil {
		fmt.Printf("Mesa is not measured, for want of a C compiler, EGL or GLES: %v %.200s\n", err, msg)
		program = ""
	}
	for b.Loop() {
		fmt.Printf("CPUs that may be used: %d; threads: 1 each; load %s\n", runtime.NumCPU(), loadAverage())
		for _, file := range files {
			w, title := load(b, file)
			fmt.Printf("\n%s: %s\n", strings.TrimSuffix(filepath.Base(file), ".txtar"), title)
			native(b, w, program, []exec.Engine{interp.New(), jit.New(host)})
		}
	}
	b.ReportMetric(0, "ns/op") // the tables have the figures
}

func native(b *testing.B, w workload, program string, engines []exec.Engine) {
	const size = 512 // of the pictures compared
	var all []*contender
	var first []byte
	for _, e := range engines {
		s, err := scene.Parse([]byte(w.Scene))
		if err != nil {
			b.Fatal(err)
		}
		v := scene.NewView(e)
		if err := v.Load(s, scene.Compile); err != nil {
			b.Fatal(err)
		}
		picture, _, err := v.Draw(0, size, size)
		if err != nil {
			b.Fatal(err)
		}
		if first == nil {
			first = slices.Clone(picture.Pix)
		}
		if !bytes.Equal(first, picture.Pix) {
			b.Errorf("the pictures of %s and %s differ", engines[0].Name(), e.Name())
		}
		all = append(all, &contender{name: e.Name(), draw: func(size, millis int) sample {
			began := time.Now()
			for frames := 1; ; frames++ {
				if err := v.Begin(0, size, size); err != nil {
					b.Fatal(err)
				}
				v.DrawTiles(1 << 30)
				if t := time.Since(began); t >= time.Duration(millis)*time.Millisecond {
					return sample{float64(frames), t.Seconds() * 1000}
				}
			}
		}})
	}
	for _, driver := range []string{"softpipe", "llvmpipe"} {
		if program == "" {
			break
		}
		m, err := startMesa(b, program, driver, w)
		if err != nil {
			fmt.Printf("%s is not measured: %v\n", driver, err)
			continue
		}
		defer m.stop()
		theirs := m.picture(size)
		flip(theirs, size)
		_, text := difference(first, theirs)
		fmt.Printf("%dx%d against %s: %s\n", size, size, m.renderer, text)
		all = append(all, &contender{name: driver, reference: driver == "llvmpipe", draw: m.draw})
	}
	race("llvmpipe", all)
}

// A mesa is a process of testdata/mesa.c.
type mesa struct {
	t        testing.TB
	renderer string
	command  *osexec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
}

// startMesa starts a driver on a workload. It is an error when Mesa takes another driver.
func startMesa(t testing.TB, program, driver string, w workload) (*mesa, error) {
	dir := t.TempDir()
	var corners, indices bytes.Buffer
	if err := errors.Join(binary.Write(&corners, binary.NativeEndian, w.Corners), binary.Write(&indices, binary.NativeEndian, w.Indices)); err != nil {
		return nil, err
	}
	args := []string{}
	for name, data := range map[string][]byte{"1vert": []byte(w.Vert), "2frag": []byte(w.Frag), "3corners": corners.Bytes(), "4indices": indices.Bytes(), "5texture": w.Texture} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return nil, err
		}
		args = append(args, file)
	}
	slices.Sort(args)
	args = append(args, fmt.Sprint(w.Depth), fmt.Sprint(w.Blend))
	for _, c := range w.Clear {
		args = append(args, fmt.Sprint(c))
	}
	m := &mesa{t: t, command: osexec.Command(program, args...)}
	m.command.Env = append(os.Environ(), "LIBGL_ALWAYS_SOFTWARE=true", "GALLIUM_DRIVER="+driver, "LP_NUM_THREADS=0", "MESA_SHADER_CACHE_DISABLE=true")
	m.command.Stderr = os.Stderr
	in, err := m.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := m.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	m.in, m.out = in, bufio.NewReader(out)
	if err := m.command.Start(); err != nil {
		return nil, err
	}
	if m.renderer, err = m.out.ReadString('\n'); err != nil || !strings.Contains(m.renderer, driver) {
		m.stop()
		return nil, fmt.Errorf("the renderer is %q, %v", m.renderer, err)
	}
	m.renderer = strings.TrimSpace(m.renderer)
	return m, nil
}

func (m *mesa) stop() {
	m.in.Close()
	m.command.Wait() // how it ends says nothing any more
}

func (m *mesa) picture(size int) []byte {
	p := make([]byte, 4*size*size)
	fmt.Fprintf(m.in, "picture %d\n", size)
	if _, err := io.ReadFull(m.out, p); err != nil {
		m.t.Fatal(err)
	}
	return p
}

func (m *mesa) draw(size, millis int) (x sample) {
	fmt.Fprintf(m.in, "time %d %d\n", size, millis)
	if _, err := fmt.Fscanln(m.out, &x[0], &x[1]); err != nil {
		m.t.Fatal(err)
	}
	return x
}
