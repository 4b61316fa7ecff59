; What is emitted of real.tgt for x86-64-v3, after LLVM's passes; metadata, attributes and entries are left out.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define internal i32 @real_slots(ptr %0) {
entry:
  %in = load ptr, ptr %0, align 8
  %1 = getelementptr inbounds i8, ptr %0, i64 8
  %min = load i64, ptr %1, align 8
  %2 = getelementptr inbounds i8, ptr %0, i64 32
  %out = load ptr, ptr %2, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 40
  %min1 = load i64, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 48
  %len2 = load i64, ptr %4, align 8
  %5 = icmp eq i64 %len2, 0
  br i1 %5, label %leave, label %window

leave:
  %status.0 = phi i32 [ 0, %entry ], [ 0, %end.loop17 ], [ %27, %fails ], [ -1, %holds ]
  ret i32 %status.0

window:
  %6 = getelementptr inbounds i8, ptr %0, i64 16
  %len = load i64, ptr %6, align 8
  %7 = add i64 %min1, 2147483648
  %8 = icmp ult i64 %7, 4294967297
  %9 = icmp ult i64 %len2, 2147483649
  %10 = add i64 %min, 2147483648
  %11 = icmp ult i64 %10, 4294967297
  %12 = icmp ult i64 %len, 2147483649
  %13 = add i64 %min1, -1
  %14 = icmp sle i64 %min, %13
  %15 = add i64 %len2, 2
  %16 = add i64 %13, %15
  %17 = add i64 %min, %len
  %18 = icmp sle i64 %16, %17
  %19 = and i1 %14, %18
  %20 = and i1 %9, %19
  %21 = and i1 %20, %8
  %22 = and i1 %21, %11
  %23 = and i1 %22, %12
  br i1 %23, label %holds, label %fails

fails:
  %24 = select i1 %12, i32 5, i32 4
  %25 = select i1 %11, i32 %24, i32 3
  %26 = select i1 %9, i32 %25, i32 2
  %27 = select i1 %8, i32 %26, i32 1
  br label %leave

holds:
  %28 = shl nuw nsw i64 %len2, 2
  %s = call ptr @hy_runtime_allocate(i64 %28)
  %29 = icmp eq ptr %s, null
  br i1 %29, label %leave, label %allocated

allocated:
  %30 = add nuw nsw i64 %len2, 7
  %31 = lshr i64 %30, 3
  %32 = lshr i64 %len2, 3
  %33 = call i64 @llvm.umin.i64(i64 %31, i64 %32)
  %.not = icmp eq i64 %33, 0
  br i1 %.not, label %end.loop, label %loop.preheader

loop.preheader:
  %34 = sub i64 %min1, %min
  %35 = getelementptr float, ptr %in, i64 %34
  br label %loop

loop:
  %lsr.iv31 = phi i64 [ %33, %loop.preheader ], [ %lsr.iv.next32, %loop ]
  %lsr.iv = phi i64 [ 0, %loop.preheader ], [ %lsr.iv.next, %loop ]
  %scevgep29 = getelementptr i8, ptr %35, i64 %lsr.iv
  %scevgep27 = getelementptr i8, ptr %35, i64 %lsr.iv
  %scevgep28 = getelementptr i8, ptr %scevgep27, i64 -4
  %in6 = load <8 x float>, ptr %scevgep28, align 4
  %36 = fmul <8 x float> %in6, <float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000>
  %in7 = load <8 x float>, ptr %scevgep29, align 4
  %37 = fmul <8 x float> %in7, <float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000>
  %38 = fadd <8 x float> %36, %37
  %scevgep = getelementptr i8, ptr %35, i64 %lsr.iv
  %scevgep26 = getelementptr i8, ptr %scevgep, i64 4
  %in8 = load <8 x float>, ptr %scevgep26, align 4
  %39 = fmul <8 x float> %in8, <float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000>
  %40 = fadd <8 x float> %38, %39
  %scevgep30 = getelementptr i8, ptr %s, i64 %lsr.iv
  store <8 x float> %40, ptr %scevgep30, align 4
  %lsr.iv.next = add nuw nsw i64 %lsr.iv, 32
  %lsr.iv.next32 = add nsw i64 %lsr.iv31, -1
  %exitcond.not = icmp eq i64 %lsr.iv.next32, 0
  br i1 %exitcond.not, label %end.loop.loopexit, label %loop

end.loop.loopexit:
  br label %end.loop

end.loop:
  %41 = sub nsw i64 %31, %33
  %42 = icmp sgt i64 %41, 0
  br i1 %42, label %loop9.preheader, label %loop16.preheader

loop9.preheader:
  %43 = add i64 %min1, %len2
  %44 = shl i64 %33, 3
  %45 = add i64 %min1, %44
  %46 = getelementptr float, ptr %s, i64 %44
  %47 = mul i64 %min, -4
  %scevgep33 = getelementptr i8, ptr %in, i64 %47
  br label %loop9

loop9:
  %lsr.iv48 = phi i64 [ %41, %loop9.preheader ], [ %lsr.iv.next49, %end.if ]
  %lsr.iv46 = phi ptr [ %46, %loop9.preheader ], [ %scevgep47, %end.if ]
  %lsr.iv34 = phi i64 [ %45, %loop9.preheader ], [ %lsr.iv.next35, %end.if ]
  %48 = call i64 @llvm.ssub.sat.i64(i64 %43, i64 %lsr.iv34)
  %49 = call i64 @llvm.smax.i64(i64 %48, i64 -1)
  %50 = call i64 @llvm.smin.i64(i64 %49, i64 8)
  %51 = trunc nsw i64 %50 to i32
  %52 = insertelement <8 x i32> poison, i32 %51, i64 0
  %53 = shufflevector <8 x i32> %52, <8 x i32> poison, <8 x i32> zeroinitializer
  %54 = icmp sgt <8 x i32> %53, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %55 = add i64 %lsr.iv34, 7
  %56 = icmp slt i64 %55, %43
  %57 = icmp slt i64 %lsr.iv34, %43
  %58 = and i1 %57, %56
  br i1 %58, label %all.lanes, label %not.all.lanes

loop16.preheader.loopexit:
  br label %loop16.preheader

loop16.preheader:
  %smax = call i64 @llvm.smax.i64(i64 %len2, i64 1)
  %min.iters.check = icmp slt i64 %len2, 8
  br i1 %min.iters.check, label %loop16.preheader25, label %vector.ph

loop16.preheader25:
  %x18.ph = phi i64 [ 0, %loop16.preheader ], [ %n.vec, %middle.block ]
  br label %loop16

vector.ph:
  %n.vec = and i64 %smax, 4294967288
  br label %vector.body

vector.body:
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %59 = shl i64 %index, 2
  %scevgep50 = getelementptr i8, ptr %s, i64 %59
  %wide.load = load <8 x float>, ptr %scevgep50, align 4
  %60 = fcmp ogt <8 x float> %wide.load, zeroinitializer
  %61 = select <8 x i1> %60, <8 x float> %wide.load, <8 x float> zeroinitializer
  %62 = fcmp olt <8 x float> %61, <float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02>
  %63 = select <8 x i1> %62, <8 x float> %61, <8 x float> <float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02, float 2.550000e+02>
  %64 = fadd <8 x float> %63, <float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01>
  %65 = call <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float> %64)
  %66 = uitofp <8 x i8> %65 to <8 x float>
  %67 = fadd <8 x float> %wide.load, %66
  %68 = shl i64 %index, 2
  %scevgep51 = getelementptr i8, ptr %out, i64 %68
  store <8 x float> %67, ptr %scevgep51, align 4
  %index.next = add nuw i64 %index, 8
  %69 = icmp eq i64 %n.vec, %index.next
  br i1 %69, label %middle.block, label %vector.body

middle.block:
  %cmp.n = icmp eq i64 %smax, %n.vec
  br i1 %cmp.n, label %end.loop17, label %loop16.preheader25

all.lanes:
  %70 = shl i64 %lsr.iv34, 2
  %scevgep40 = getelementptr i8, ptr %scevgep33, i64 %70
  %71 = shl i64 %lsr.iv34, 2
  %scevgep38 = getelementptr i8, ptr %scevgep33, i64 %71
  %scevgep39 = getelementptr i8, ptr %scevgep38, i64 -4
  %in12 = load <8 x float>, ptr %scevgep39, align 4
  %72 = fmul <8 x float> %in12, <float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000>
  %in13 = load <8 x float>, ptr %scevgep40, align 4
  %73 = fmul <8 x float> %in13, <float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000>
  %74 = fadd <8 x float> %72, %73
  %75 = shl i64 %lsr.iv34, 2
  %scevgep36 = getelementptr i8, ptr %scevgep33, i64 %75
  %scevgep37 = getelementptr i8, ptr %scevgep36, i64 4
  %in14 = load <8 x float>, ptr %scevgep37, align 4
  %76 = fmul <8 x float> %in14, <float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000>
  %77 = fadd <8 x float> %74, %76
  store <8 x float> %77, ptr %lsr.iv46, align 4
  br label %end.if

not.all.lanes:
  %78 = bitcast <8 x i1> %54 to i8
  %.not22 = icmp eq i8 %78, 0
  br i1 %.not22, label %end.if, label %some.lanes

end.if:
  %lsr.iv.next35 = add i64 %lsr.iv34, 8
  %scevgep47 = getelementptr i8, ptr %lsr.iv46, i64 32
  %lsr.iv.next49 = add i64 %lsr.iv48, -1
  %exitcond23.not = icmp eq i64 %lsr.iv.next49, 0
  br i1 %exitcond23.not, label %loop16.preheader.loopexit, label %loop9

some.lanes:
  %79 = shl i64 %lsr.iv34, 2
  %scevgep45 = getelementptr i8, ptr %scevgep33, i64 %79
  %80 = shl i64 %lsr.iv34, 2
  %scevgep43 = getelementptr i8, ptr %scevgep33, i64 %80
  %scevgep44 = getelementptr i8, ptr %scevgep43, i64 -4
  %81 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %scevgep44, i32 4, <8 x i1> %54, <8 x float> zeroinitializer)
  %82 = fmul <8 x float> %81, <float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000>
  %83 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %scevgep45, i32 4, <8 x i1> %54, <8 x float> zeroinitializer)
  %84 = fmul <8 x float> %83, <float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000>
  %85 = fadd <8 x float> %82, %84
  %86 = shl i64 %lsr.iv34, 2
  %scevgep41 = getelementptr i8, ptr %scevgep33, i64 %86
  %scevgep42 = getelementptr i8, ptr %scevgep41, i64 4
  %87 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %scevgep42, i32 4, <8 x i1> %54, <8 x float> zeroinitializer)
  %88 = fmul <8 x float> %87, <float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000, float 0x3FD3333340000000>
  %89 = fadd <8 x float> %85, %88
  call void @llvm.masked.store.v8f32.p0(<8 x float> %89, ptr %lsr.iv46, i32 4, <8 x i1> %54)
  br label %end.if

loop16:
  %x18 = phi i64 [ %100, %loop16 ], [ %x18.ph, %loop16.preheader25 ]
  %90 = shl i64 %x18, 2
  %scevgep53 = getelementptr i8, ptr %s, i64 %90
  %s20 = load float, ptr %scevgep53, align 4
  %91 = fcmp ogt float %s20, 0.000000e+00
  %92 = select i1 %91, float %s20, float 0.000000e+00
  %93 = fcmp olt float %92, 2.550000e+02
  %94 = select i1 %93, float %92, float 2.550000e+02
  %95 = fadd float %94, 5.000000e-01
  %96 = call i8 @llvm.fptoui.sat.i8.f32(float %95)
  %97 = uitofp i8 %96 to float
  %98 = fadd float %s20, %97
  %99 = shl i64 %x18, 2
  %scevgep52 = getelementptr i8, ptr %out, i64 %99
  store float %98, ptr %scevgep52, align 4
  %100 = add nuw nsw i64 %x18, 1
  %exitcond24.not = icmp eq i64 %smax, %100
  br i1 %exitcond24.not, label %end.loop17.loopexit, label %loop16

end.loop17.loopexit:
  br label %end.loop17

end.loop17:
  call void @hy_runtime_free(ptr nonnull %s)
  br label %leave
}

declare ptr @hy_runtime_allocate(i64)
declare void @hy_runtime_free(ptr)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr nocapture, i32 immarg, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr nocapture, i32 immarg, <8 x i1>)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i64 @llvm.umin.i64(i64, i64)
declare <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float>)
